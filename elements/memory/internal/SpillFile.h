//===- SpillFile.h - Ranges of a file without a name ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The storage of spilled bytes. Each folder of MemoryLimits has one unlinked
// file, which the system deletes when the process ends, however it ends. Ranges
// begin at page boundaries. The space of freed ranges is reused, or returned to
// the disk (as holes of the file).
//
//   std::unique_ptr<SpilledRange> range = SpilledRange::reserve(size);
//   if (!range || !range->write(0, bytes, size))
//     ...                              // the bytes are kept in memory
//   const char *mapped = range->map(/*writable=*/false);
//
// Space is reserved on the disk first, so that a full disk is an error of
// reserve(), not a signal while a mapping is written. MemoryStatistics counts
// every failure.
// Thread safety: reserve() and the free functions may be called from any
// thread; a range belongs to one owner. Signals: a limit on the size of files
// (SIGXFSZ) is a failure like any other.
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
  /// `size` bytes of the file whose space is reserved, or null if that failed.
  /// REQUIRES: size != 0.
  static std::unique_ptr<SpilledRange> reserve(uint64_t size);
  ~SpilledRange();

  uint64_t size() const { return bytes; }

  /// Writes `count` bytes at `offset` of the range. False if the system fails.
  bool write(uint64_t offset, const char *from, uint64_t count);
  /// Reads all bytes. Ends the program if the system fails.
  void read(char *to) const;

  /// The bytes as memory, until unmap(); null if the system cannot map them.
  char *map(bool writable);
  void unmap(const char *mapped);

private:
  SpilledRange(llvm::IntrusiveRefCntPtr<SpillFile> file, uint64_t offset,
               uint64_t bytes);

  llvm::IntrusiveRefCntPtr<SpillFile> file;
  uint64_t offset, bytes;
};

/// Sets the folder of new files. If it is empty: $TMPDIR, else /tmp.
void setSpillFolder(const std::string &folder);

/// How often spilling has failed, and the text of the last failure.
std::pair<uint64_t, std::string> spillFailures();

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_SPILLFILE_H
