//===- SpillFile.h - Ranges of a file without a name ------------*- C++ -*-===//
//
// The place of spilled bytes. One unlinked file per folder of MemoryLimits,
// which disappears when the process ends, however it ends; ranges begin with a
// page, and the space of dead ones is used again or given back to the disk
// (holes).
//
//   std::unique_ptr<SpilledRange> range = SpilledRange::reserve(size);
//   if (!range || !range->write(0, bytes, size))
//     ...                              // the bytes are kept in memory
//   const char *mapped = range->map(/*writable=*/false);
//
// Space is reserved on the disk first, so that a full disk is an error of
// reserve(), not a signal while a mapping is written. Every failure is noted
// for MemoryStatistics.
// Thread safety: reserve(), noteFailure; a range is its owner's. Signals: a
// limit on the size of files (SIGXFSZ) is a failure like any other.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_SPILLFILE_H
#define ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_SPILLFILE_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace onnxfold::detail {

class SpillFile;

class SpilledRange {
public:
  /// `size` bytes of the file, whose space is there; null if there is none.
  /// REQUIRES: size != 0.
  static std::unique_ptr<SpilledRange> reserve(uint64_t size);
  ~SpilledRange();

  uint64_t size() const { return bytes; }

  /// Writes a part. False if the system fails.
  bool write(uint64_t offset, const char *from, uint64_t count);
  /// Reads all bytes. Ends the program if the system fails.
  void read(char *to) const;

  /// The bytes as memory, until unmap; null if there are no addresses left.
  char *map(bool writable);
  void unmap(const char *mapped);

private:
  SpilledRange(llvm::IntrusiveRefCntPtr<SpillFile> file, uint64_t offset,
               uint64_t bytes);

  llvm::IntrusiveRefCntPtr<SpillFile> file;
  uint64_t offset, bytes;
};

/// The folder that new files are made in; empty: $TMPDIR, else /tmp.
void setSpillFolder(const std::string &folder);

/// How often spilling failed, and the last text.
std::pair<uint64_t, std::string> spillFailures();

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_SPILLFILE_H
