//===- Memory.h - How much memory tensors may take --------------*- C++ -*-===//
//
// Limits and statistics of the memory behind all tensors of the process.
// (Spill.h moves a large one out of it.)
//
// Deferred bytes are kept once they were needed a second time (DeferredBuffer).
// Kept bytes have a budget. Beyond it those that were read longest ago are
// spilled: written to a file without a name, and mapped while they are read.
// Nothing is computed again because of it, and no result depends on it. A
// single result larger than the whole budget is computed in the file from the
// start (see largestInMemory). If there is no space on the disk, or no folder
// for the file, the bytes are kept in memory and MemoryStatistics says so.
// Values that a caller made or read from elsewhere (HeapBuffer, files, foreign
// memory) belong to the caller and are not part of the budget.
//
//   MemoryLimits limits;
//   limits.keptBytes = 64 << 20;
//   limits.folder = "/scratch";
//   setMemoryLimits(limits);
//
//   llvm::errs() << memoryStatistics().spilledBytes << "\n";
//
// The defaults do not depend on the machine. onnx-fold keeps 32 MB, a quarter of
// the machine's memory at most, and spills to its output's folder.
//
// Thread safety: everything here may be called from any thread. Errors: none,
// but a file that can be written and then not be read ends the program.
// After a fork both processes may use the tensors.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_MEMORY_H
#define ONNXFOLD_ELEMENTS_MEMORY_MEMORY_H

#include <cstdint>
#include <string>
#include <utility>

namespace onnxfold {

struct MemoryLimits {
  /// Computed bytes that are kept in memory for the next reader. Pinned ones
  /// count, but cannot be spilled. (The largest result that the engine folds by
  /// default is as large.)
  uint64_t keptBytes = uint64_t(1) << 30;
  /// Unused blocks of memory, which the next result of their size reuses,
  /// because page faults cost more than most arithmetic. One block that is
  /// larger waits alone, up to four times that, until another one is mapped.
  uint64_t recycledBytes = 8 << 20;
  /// Smaller results are never spilled: a mapping costs two system calls each
  /// time they are read.
  uint64_t smallestSpilled = 64 << 10;
  /// For the file of spilled bytes; empty: $TMPDIR, else /tmp. Should be on a
  /// disk: a tmpfs is memory too.
  std::string folder;
  /// A single result up to this size is computed in memory even if it is larger
  /// than the budget, and spilled if it is known to be needed again: most are
  /// read once, and computing in a mapped file is slower.
  uint64_t largestInMemory = 0;
};

MemoryLimits memoryLimits();

/// Takes effect before it returns: bytes beyond the new limits are spilled or
/// returned to the system. Spilled bytes are not moved back.
void setMemoryLimits(const MemoryLimits &limits);

/// Bytes, of the whole process, now. While other threads work the numbers need
/// not be of one instant.
struct MemoryStatistics {
  /// In HeapBuffers: results, kept or not, and scratch memory.
  uint64_t heapBytes = 0;
  /// The most of them that there were at once, since resetPeakHeapBytes();
  /// looked at whenever a buffer of 64 KiB or more is made.
  uint64_t peakHeapBytes = 0;
  /// In blocks that wait to be used again; not in heapBytes.
  uint64_t recycledBytes = 0;
  /// The part of heapBytes that is under the budget.
  uint64_t keptBytes = 0;
  /// In the file of spilled results.
  uint64_t spilledBytes = 0;
  /// Files that are mapped, spilled results and MappedBytes.
  uint64_t mappedBytes = 0;
  /// How often something could not be spilled, since the process started, and
  /// why the last time: "/tmp: No space left on device".
  uint64_t failedSpills = 0;
  std::string lastFailure;
};

MemoryStatistics memoryStatistics();
void resetPeakHeapBytes();

/// Counts a mapping of a file in MemoryStatistics::mappedBytes while it lives.
class MappedBytes {
public:
  MappedBytes() = default;
  explicit MappedBytes(uint64_t bytes);
  MappedBytes(MappedBytes &&other) noexcept
      : bytes(std::exchange(other.bytes, 0)) {}
  MappedBytes &operator=(MappedBytes &&other) noexcept {
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~MappedBytes();

private:
  uint64_t bytes = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MEMORY_MEMORY_H
