//===- Emit.cpp - A compiled model as a file ------------------------------===//

#include "Emit.h"
#include "onnxfold/tools/support/CommandLine.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

/// Whole, or not at all.
static llvm::Error writeEmitted(StringRef file, StringRef code) {
  return llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
    out << code;
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

/// Links an object with the system's compiler driver, and with our run time if
/// it calls that.
static llvm::Error link(StringRef file, StringRef code) {
  auto linker = llvm::sys::findProgramByName("cc");
  if (!linker)
    return makeRunError("--emit=shared-library needs the program cc: " +
                        linker.getError().message());
  llvm::SmallString<128> object;
  int fd;
  if (auto error =
          llvm::sys::fs::createTemporaryFile("onnx-run", "o", fd, object))
    return makeRunError(object + ": " + error.message());
  llvm::FileRemover remover(object);
  llvm::raw_fd_ostream out(fd, /*shouldClose=*/true);
  out << code;
  out.close();
  std::string message;
  std::string folder = folderOfPrograms(), path = "-Wl,-rpath," + folder;
  llvm::SmallVector<StringRef> words{
      "cc", "-shared", "-Wl,-Bsymbolic", "-o", file, object, "-lm"};
  if (!folder.empty())
    words.append(
        {"-Wl,--as-needed,-z,defs", "-L", folder, "-lonnxfold_programs", path});
  int status = llvm::sys::ExecuteAndWait(*linker, words, std::nullopt, {}, 0, 0,
                                         &message);
  return status ? makeRunError("cc -shared failed" +
                               (message.empty() ? "" : ": " + message))
                : llvm::Error::success();
}

llvm::Error onnxfold::emit(StringRef model, StringRef form, StringRef file,
                           CompileOptions options) {
  options.form = form == "llvm"   ? CodeForm::LLVM
                 : form == "mlir" ? CodeForm::Mlir
                                  : CodeForm::Object;
  bool isLibrary = form == "shared-library";
  if (options.form == CodeForm::Object && !isLibrary && form != "object")
    return usageError("onnx-run",
                      "--emit is '" + form +
                          "', expected object, shared-library, llvm or mlir");
  if (isLibrary && file == "-")
    return usageError("onnx-run", "--emit=shared-library needs -o FILE");
  auto compiled = compileModel(model, options);
  if (!compiled)
    return compiled.takeError();
  StringRef code(compiled->code.data(), compiled->code.size());
  return isLibrary ? link(file, code) : writeEmitted(file, code);
}
