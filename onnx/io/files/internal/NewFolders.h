//===- NewFolders.h - Folders that are made for an output -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Creates the folders that an output needs. Without keep() those that are empty
// are removed again by the destructor, and on SIGINT, SIGTERM and SIGHUP, after
// the temporary files in them (RemoveOnSignal.h). A killed run may leave an
// empty folder.
//
// Thread safety: none, but a signal may come at any time. Ignored signals are
// still ignored.
//
// Example:
//   NewFolders folders;
//   if (Error error = folders.make("out/weights/a")) return error;
//   ... // write files there and give them their names
//   folders.keep();
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_INTERNAL_NEWFOLDERS_H
#define ONNXFOLD_ONNX_IO_FILES_INTERNAL_NEWFOLDERS_H

#include "onnxfold/onnx/io/files/internal/RemoveOnSignal.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace onnxfold {

/// A folder whose names will be synced.
class OpenFolder {
public:
  static llvm::Expected<OpenFolder> open(llvm::StringRef folder);
  OpenFolder(OpenFolder &&other) noexcept
      : folder(std::move(other.folder)), fd(std::exchange(other.fd, -1)) {}
  ~OpenFolder();

  llvm::StringRef name() const { return folder; }
  /// Syncs the names in the folder to the disk. Folders of some file systems
  /// cannot be synced; that is not an error.
  llvm::Error sync() const;

private:
  OpenFolder(llvm::StringRef folder, int fd) : folder(folder.str()), fd(fd) {}

  std::string folder;
  int fd;
};

class NewFolders {
public:
  NewFolders() = default;
  ~NewFolders();
  NewFolders(const NewFolders &) = delete;
  NewFolders &operator=(const NewFolders &) = delete;

  /// Creates a folder and its parents, as far as they are missing.
  llvm::Error make(llvm::StringRef folder);
  /// Syncs the names of the folders that were created to the disk.
  llvm::Error sync() const;
  void keep();

private:
  struct Made {
    std::string path;
    FolderSlot *slot; ///< null: none was free
  };

  std::vector<Made> made;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_INTERNAL_NEWFOLDERS_H
