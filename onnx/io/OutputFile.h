//===- OutputFile.h - A file that appears whole or not at all -------------===//
//
// An output file is written under no name (O_TMPFILE), or under a temporary
// name in the target's folder where the file system has no unnamed files, and
// takes the target's name in commit(). Without commit() nothing remains: not
// after an error, not after SIGINT or SIGTERM (LLVM's handlers remove temporary
// names), and a temporary that a killed run left is removed by the next run on
// the same target.
//
// A target that is a symbolic link is kept; the file behind it is replaced. A
// replaced file hands on its permissions, and its owner and group where we may.
// A target that is one of the input files, under any name, is refused, and so
// is one that may not be written. Devices, pipes and `-` (standard output) are
// streams: bytes are written in order, at once, and cannot be taken back.
//
// Errors: everything that fails, disk full included, also when the kernel tells
// only at the end. Callers should ignore SIGXFSZ and SIGPIPE, or the process
// dies instead of reporting.
// Thread safety: write() may be called by several threads for ranges that do
// not overlap, except on streams; the rest belongs to one thread.
//
// Example:
//   Expected<std::unique_ptr<OutputFile>> out =
//       OutputFile::create("model.folded.onnx", {input->identity()});
//   if (!out) return out.takeError();
//   if (Error error = (*out)->write(0, bytes)) return error;
//   return (*out)->commit();
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_OUTPUTFILE_H
#define ONNXFOLD_ONNX_IO_OUTPUTFILE_H

#include "onnxfold/onnx/io/InputFile.h"

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

  /// An output of this process has its name by now: what fails after that leaves
  /// the new one.
  static bool isAnyCommitted();

  /// A file that never gets a name, for what has to be complete before it is
  /// written to a stream. It is never committed; `name` is for messages.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  createUnnamed(llvm::StringRef name);

  /// The same in memory.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  createInMemory(llvm::StringRef name);

  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// For messages: the path as given, or `<stdout>`.
  llvm::StringRef name() const { return displayName; }
  /// Offsets must then be written in order, without gaps.
  bool isStream() const { return stream; }

  /// Called after each piece that was written or copied, with its bytes, by the
  /// thread that wrote it. False: no more of it, writing fails. Set before
  /// anything is written.
  void onProgress(std::function<bool(uint64_t)> callback) {
    progress = std::move(callback);
  }

  /// Makes the file this long; what is never written reads as zeros. Does
  /// nothing on a stream.
  llvm::Error resize(uint64_t size);
  /// Says that all of a range of the file will be written, which is faster then
  /// on file systems that give each block a place when it is written. REQUIRES:
  /// the range is within the size that resize() has given.
  void reserve(ByteRange range);
  llvm::Error write(uint64_t offset, llvm::StringRef bytes);
  /// Copies a range of an input. REQUIRES: nothing was written there before.
  llvm::Error copy(const InputFile &input, ByteRange range, uint64_t offset);

  /// What was written so far, for reading, under the name of the output for
  /// messages. REQUIRES: not a stream.
  llvm::Expected<InputFileRef> read() const;

  /// Gives the file its name. Nothing may be written afterwards. Files that
  /// belong together: commitTogether() in OutputSet.h.
  llvm::Error commit();

  /// The real path of what will be replaced or made; empty for a stream.
  llvm::StringRef targetPath() const { return target; }

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
  /// What linkToTarget() may need: it allocates nothing unless it fails, since
  /// out of memory between the names of two files would leave one of them.
  void prepareName();
  llvm::Error linkToTarget();
  std::string temporaryName(llvm::StringRef suffix) const;

  std::function<bool(uint64_t)> progress;
  std::string displayName;
  std::string target; ///< real path of what will be replaced or made
  std::string folder;
  std::string temporary; ///< the name that it has, or may get, until commit()
  bool hasTemporaryName = false;
  int fd = -1;
  uint64_t position = 0;               ///< of a stream
  std::optional<struct stat> replaced; ///< what is there already
  bool stream = false;
  bool sync = false;
  bool committed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_OUTPUTFILE_H
