//===- Emit.cpp - A compiled model as a file ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/compile/Emit.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/programs/Signature.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

llvm::Error onnxfold::writeCode(llvm::ArrayRef<char> code, StringRef file) {
  return llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
    out.write(code.data(), code.size());
    return llvm::Error::success();
  });
}

/// The folder of libonnxfold_programs.so: beside that of this program, as in the
/// tree and where it is installed. Empty if there is none.
static std::string folderOfPrograms() {
  llvm::SmallString<128> folder;
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  for (StringRef name : {ONNXFOLD_LIBDIR, "lib"}) {
    folder = llvm::sys::path::parent_path(llvm::sys::path::parent_path(self));
    llvm::sys::path::append(folder, name);
    if (llvm::sys::fs::exists(folder + "/libonnxfold_programs.so"))
      return folder.str().str();
  }
  return "";
}

llvm::Error onnxfold::writeSharedLibrary(llvm::ArrayRef<char> code,
                                         StringRef file) {
  auto linker = llvm::sys::findProgramByName("cc");
  if (!linker)
    return makeRunError(
        setting("emit", "shared-library") +
        " needs the program cc: " + linker.getError().message());
  llvm::SmallString<128> object;
  int fd;
  if (auto error =
          llvm::sys::fs::createTemporaryFile("onnx-run", "o", fd, object))
    return makeRunError(object + ": " + error.message());
  llvm::FileRemover remover(object);
  llvm::raw_fd_ostream out(fd, /*shouldClose=*/true);
  out.write(code.data(), code.size());
  out.close();
  std::string message;
  std::string folder = folderOfPrograms(), path = "-Wl,-rpath," + folder;
  llvm::SmallVector<StringRef> words{
      "cc",   "-shared", "-Wl,-Bsymbolic,--as-needed,-z,defs", "-o", file,
      object, "-lm"};
  if (!folder.empty()) // linked only if the object calls it
    words.append({"-L", folder, "-lonnxfold_programs", path});
  int status = llvm::sys::ExecuteAndWait(*linker, words, std::nullopt, {}, 0, 0,
                                         &message);
  if (status && folder.empty())
    message = "libonnxfold_programs.so, which it may need, is not installed "
              "with onnx-run" +
              (message.empty() ? "" : "; " + message);
  return status ? makeRunError("cc -shared failed" +
                               (message.empty() ? "" : ": " + message))
                : llvm::Error::success();
}
