//===- InputFile.h - A file that is only read -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An InputFile is a model file or a file of external data, open for reading. It
// neither reads ahead nor keeps bytes: callers read ranges. Input files are never
// opened for writing, and never mapped: where another process truncates a file,
// access to a mapping of it raises SIGBUS.
//
// Ownership: shared (InputFileRef); the buffers of tensors hold the file that
// their bytes are in. The descriptor is closed with the last reference.
// Thread safety: all members may be called from any thread.
// Errors: a file that is missing, a folder, not regular, or unreadable; a file
// that became shorter while it was in use (bytes beyond its new end are an
// error, never zeros).
//
// Example:
//   Expected<InputFileRef> file = InputFile::open("model.onnx");
//   if (!file)
//     return file.takeError();
//   if (Error error = (*file)->read(4096, weights))
//     return error;
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_INPUTFILE_H
#define ONNXFOLD_ONNX_IO_FILES_INPUTFILE_H

#include "onnxfold/onnx/io/wire/ByteRange.h"

#include "onnxfold/onnx/ir/ModelError.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <stdexcept>
#include <string>

namespace onnxfold {

class InputFile;
using InputFileRef = llvm::IntrusiveRefCntPtr<const InputFile>;

/// The device and the inode: two names of one file have the same identity.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  friend bool operator==(FileIdentity a, FileIdentity b) {
    return a.device == b.device && a.inode == b.inode;
  }
};

/// Thrown where bytes are read on demand by what cannot return an error. Its
/// fault names the file.
class UnreadableFile : public std::runtime_error {
public:
  explicit UnreadableFile(ModelFault fault)
      : std::runtime_error(fault.text()), contents(std::move(fault)) {}
  const ModelFault &fault() const { return contents; }

private:
  ModelFault contents;
};

class InputFile : public llvm::ThreadSafeRefCountedBase<InputFile> {
public:
  /// Opens a regular file. `-` and /dev/stdin are standard input: used directly
  /// if it is a regular file at its start, else copied to an unlinked temporary
  /// first, as other pipes without a name are (a shell's <(...)). Named pipes
  /// are refused.
  static llvm::Expected<InputFileRef> open(llvm::StringRef path);

  /// Takes over an open descriptor of a regular file. `name` is for messages.
  static llvm::Expected<InputFileRef> adopt(int fd, llvm::StringRef name);

  /// A copy of some bytes, as a file in memory.
  static llvm::Expected<InputFileRef> ofBytes(llvm::StringRef bytes,
                                              llvm::StringRef name);

  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  /// The name for messages: the path as given, or `<stdin>`.
  llvm::StringRef name() const { return fileName; }
  /// The size in bytes when the file was opened.
  uint64_t size() const { return fileSize; }
  FileIdentity identity() const { return fileIdentity; }
  /// The descriptor, for copies in the kernel. Read with pread only: the file
  /// position is shared.
  int descriptor() const { return fd; }
  /// Whether the file has fewer blocks than bytes, so that a search for holes
  /// pays.
  bool mayHaveHoles() const { return sparse; }

  /// Fills `out` with the bytes at `offset`.
  llvm::Error read(uint64_t offset, llvm::MutableArrayRef<char> out) const;

  /// An error if the file's size or modification time has changed since it was
  /// opened. The check is cheap; the writer makes it at its end.
  llvm::Error checkUnchanged() const;

  /// Bytes that read() has delivered so far, for tests and statistics.
  uint64_t bytesRead() const { return readCount.load(); }

private:
  InputFile(int fd, llvm::StringRef name) : fd(fd), fileName(name) {}
  llvm::Error truncated(uint64_t expected) const;

  int fd;
  std::string fileName;
  uint64_t fileSize = 0;
  FileIdentity fileIdentity;
  int64_t modified[2] = {0, 0};
  bool sparse = false;
  mutable std::atomic<uint64_t> readCount{0};
};

/// Whether the path is standard input or a pipe without a name. What is read
/// there has no folder of its own.
bool isStreamPath(llvm::StringRef path);

/// After EMFILE: raises the soft limit of open files to the hard one. A model
/// may have one data file per tensor, more than the usual soft limit of 1024.
/// False if there is nothing to raise.
bool raiseOpenFileLimit();

/// An unlinked file in the folder for temporary files (TMPDIR or /tmp), open
/// for reading and writing; it is deleted when the descriptor is closed.
llvm::Expected<int> openUnlinkedTemporary();

/// A file in memory, open for reading and writing. `name` is for messages.
llvm::Expected<int> openMemoryFile(llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_INPUTFILE_H
