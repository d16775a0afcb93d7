//===- OutputFile.h - A file that appears whole or not at all -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An output file is written under no name (O_TMPFILE), or under a temporary
// name in the target's folder where the file system has no unnamed files, and
// takes the target's name in commit(). Without commit() nothing remains: not
// after an error, not after SIGINT or SIGTERM (LLVM's handlers remove temporary
// names), and a temporary that a killed run left is removed by the next run on
// the same target.
//
// If the target is a symbolic link, the link is kept and the file behind it is
// replaced. The new file gets the permissions of the file that it replaces, and
// its owner and group if the process may set them. A target that is one of the
// input files, under any name, is refused, and so is one that the process may
// not write. Devices, pipes and `-` (standard output) are streams: bytes are
// written in order, at once, and cannot be taken back. A pipe that nobody reads
// is an error; no call waits for a reader. Other hard links of a replaced file
// keep the old bytes.
//
// Errors: every failing system call is reported, a full disk included, also if
// the kernel reports it only at the end. Callers should ignore SIGXFSZ and
// SIGPIPE, or the process dies instead of reporting.
// Thread safety: write() may be called by several threads for ranges that do
// not overlap, except on streams; all other members may be called by one thread
// only.
//
// Example:
//   Expected<std::unique_ptr<OutputFile>> out =
//       OutputFile::create("model.folded.onnx", {input->identity()});
//   if (!out) return out.takeError();
//   if (Error error = (*out)->write(0, bytes)) return error;
//   return (*out)->commit();
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_OUTPUTFILE_H
#define ONNXFOLD_ONNX_IO_FILES_OUTPUTFILE_H

#include "onnxfold/onnx/io/files/InputFile.h"

#include "llvm/ADT/StringSet.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>

namespace onnxfold {

class OutputFile {
public:
  /// Starts an output. `inputs` are the files that must not be replaced. With
  /// `sync` the data is on the disk when commit() returns; a file that replaces
  /// another is always synced, or a crash could leave neither.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef path, llvm::ArrayRef<FileIdentity> inputs,
         bool sync = false);

  /// Whether an output of this process has got its name: an error after that
  /// leaves the new file.
  static bool isAnyCommitted();

  /// A file that never gets a name, for bytes that must be complete before they
  /// are written to a stream. It is never committed; `name` is for messages.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  createUnnamed(llvm::StringRef name);

  /// Creates such a file in memory.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  createInMemory(llvm::StringRef name);

  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// For messages: the path as given, or `<stdout>`.
  llvm::StringRef name() const { return displayName; }
  /// Whether the output is a stream, to which bytes must be written in order,
  /// without gaps.
  bool isStream() const { return stream; }

  /// Sets a function that is called after each piece that was written or
  /// copied, with its bytes, by the thread that wrote it. If it returns false,
  /// writing stops with an error. REQUIRES: nothing was written.
  void onProgress(std::function<bool(uint64_t)> callback) {
    progress = std::move(callback);
  }

  /// Sets the size of the file; bytes that are never written read as zeros.
  /// Does nothing on a stream.
  llvm::Error resize(uint64_t size);
  /// Declares that a whole range of the file will be written; writing it is
  /// then faster on file systems that allocate each block when it is written.
  /// REQUIRES: the range is within the size that resize() has given.
  void reserve(ByteRange range);
  llvm::Error write(uint64_t offset, llvm::StringRef bytes);
  /// Copies a range of an input. REQUIRES: nothing was written there before.
  llvm::Error copy(const InputFile &input, ByteRange range, uint64_t offset);

  /// The bytes written so far, as an input file; messages name it as the
  /// output. REQUIRES: the output is not a stream.
  llvm::Expected<InputFileRef> read() const;

  /// Reports the errors that the kernel has kept back, as commit() does, but
  /// gives the file no name. Nothing may be written to a file afterwards.
  llvm::Error finish();

  /// Gives the file its name. Nothing may be written afterwards. For files that
  /// belong together see commitTogether() in OutputSet.h.
  llvm::Error commit();

  /// The real path of the file that will be replaced or created; empty for a
  /// stream.
  llvm::StringRef targetPath() const { return target; }
  /// The same, and the folder of a file that is not there yet has no links in
  /// it, either: two outputs are one file if these are equal.
  std::string realTarget() const;

private:
  friend class OutputSetCommit;
  explicit OutputFile(llvm::StringRef name) : displayName(name.str()) {}
  llvm::Error openStream(int newDescriptor,
                         llvm::ArrayRef<FileIdentity> inputs);
  llvm::Error openTemporary();
  static llvm::Expected<std::unique_ptr<OutputFile>>
  adopt(llvm::Expected<int> descriptor, llvm::StringRef name);
  llvm::Error tell(uint64_t bytes) const;
  llvm::Error takePermissions();
  static void removeStale(llvm::StringRef folder,
                          const llvm::StringSet<> &targets,
                          llvm::StringRef suffix);
  bool mustSync() const { return sync || replaced.has_value(); }
  llvm::Error flush(bool syncFirst);
  /// Allocates what linkToTarget() may need, so that it allocates nothing
  /// unless it fails: if memory ran out between the renaming of two files, only
  /// one of them would have its name.
  void prepareName();
  llvm::Error linkToTarget();
  std::string temporaryName(llvm::StringRef suffix) const;

  std::function<bool(uint64_t)> progress;
  std::string displayName;
  /// Real path of the file that will be replaced or created.
  std::string target;
  std::string folder;
  std::string temporary; ///< the name that it has, or may get, until commit()
  bool hasTemporaryName = false;
  int fd = -1;
  uint64_t position = 0;               ///< of a stream
  std::optional<struct stat> replaced; ///< the file that the target is now
  bool stream = false;
  bool sync = false;
  bool committed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_OUTPUTFILE_H
