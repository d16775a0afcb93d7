//===- NewFolders.cpp - Folders that are made for an output ---------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/internal/NewFolders.h"

#include "onnxfold/onnx/io/files/InputFile.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"
#include "onnxfold/onnx/io/files/internal/RemoveOnSignal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

NewFolders::~NewFolders() {
  for (const Made &folder : reverse(made)) {
    ::rmdir(folder.path.c_str()); // fails where somebody put something
    keepFolderOnSignal(folder.slot);
  }
}

Error NewFolders::make(StringRef folder) {
  if (folder.empty() || sys::fs::exists(folder))
    return Error::success();
  if (Error error = make(sys::path::parent_path(folder)))
    return error;
  // First, so that no moment is left for a signal.
  FolderSlot *slot = removeFolderOnSignal(folder);
  if (std::error_code code =
          sys::fs::create_directory(folder, /*IgnoreExisting=*/false)) {
    keepFolderOnSignal(slot);
    if (code == std::errc::file_exists) // somebody else was faster
      return Error::success();
    return makeSystemError(folder, "cannot be made", code.value());
  }
  made.push_back({folder.str(), slot});
  return Error::success();
}

Expected<OpenFolder> OpenFolder::open(StringRef folder) {
  std::string path = folder.str();
  int fd;
  do
    fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while (fd < 0 &&
         (errno == EINTR || (errno == EMFILE && raiseOpenFileLimit())));
  if (fd < 0)
    return makeSystemError(folder, "cannot be synced", errno);
  return OpenFolder(folder, fd);
}

OpenFolder::~OpenFolder() {
  if (fd >= 0)
    ::close(fd);
}

Error OpenFolder::sync() const {
  while (systemCalls().fsync(fd) != 0) {
    if (errno == EINVAL)
      break;
    if (errno != EINTR)
      return makeSystemError(folder, "cannot be synced", errno);
  }
  return Error::success();
}

Error NewFolders::sync() const {
  llvm::SetVector<StringRef> parents;
  for (const Made &folder : made) {
    StringRef parent = sys::path::parent_path(folder.path);
    parents.insert(parent.empty() ? "." : parent);
  }
  for (StringRef parent : parents) {
    Expected<OpenFolder> folder = OpenFolder::open(parent);
    if (!folder)
      return folder.takeError();
    if (Error error = folder->sync())
      return error;
  }
  return Error::success();
}

void NewFolders::keep() {
  for (const Made &folder : made)
    keepFolderOnSignal(folder.slot);
  made.clear();
}

} // namespace onnxfold
