//===- Memory.h - How much memory tensors may take --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Limits and statistics of the memory behind all tensors of the process.
// (Spill.h moves a large one out of it.)
//
// Deferred bytes are kept once they were needed a second time (DeferredBuffer).
// Kept bytes have a budget. When they exceed it, those that were read longest
// ago are spilled: they are written to a file without a name, and mapped while
// they are read. Spilling computes nothing again and changes no result. A
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
// The defaults do not depend on the machine. onnx-fold keeps 32 MB, but at most
// a quarter of the machine's memory, and spills to the folder of its output.
//
// Thread safety: everything here may be called from any thread. Errors: none
// are returned. The program ends if the file can be written but not read back.
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
  /// The budget of computed bytes that are kept in memory for the next reader.
  /// Pinned bytes count, but cannot be spilled. (The largest result that the
  /// engine folds by default has this size too.)
  uint64_t keptBytes = uint64_t(1) << 30;
  /// Bytes of freed blocks that are kept for the next result of their size,
  /// because page faults cost more than most arithmetic. One block larger than
  /// this limit, up to four times as large, is kept beside them until another
  /// block is mapped.
  uint64_t recycledBytes = 8 << 20;
  /// Smaller results are never spilled: a mapping costs two system calls each
  /// time they are read.
  uint64_t smallestSpilled = 64 << 10;
  /// The folder of the file of spilled bytes. If it is empty: $TMPDIR, else
  /// /tmp. The folder should be on a disk: a tmpfs is memory too.
  std::string folder;
  /// A single result up to this size is computed in memory even if it is larger
  /// than the budget, and spilled if it is known to be needed again. Most
  /// results are read once, and computing in a mapped file is slower.
  uint64_t largestInMemory = 0;
};

MemoryLimits memoryLimits();

/// The limits take effect before the call returns: bytes that exceed them are
/// spilled or returned to the system. Spilled bytes are not moved back.
void setMemoryLimits(const MemoryLimits &limits);

/// Numbers of bytes of the whole process at the moment of the call. While other
/// threads work, the numbers may be of slightly different moments.
struct MemoryStatistics {
  /// In HeapBuffers: results, kept or not, and scratch memory.
  uint64_t heapBytes = 0;
  /// The maximum of heapBytes since resetPeakHeapBytes(), sampled whenever a
  /// buffer of 64 KiB or more is made.
  uint64_t peakHeapBytes = 0;
  /// In freed blocks that are kept for reuse; heapBytes does not include them.
  uint64_t recycledBytes = 0;
  /// The part of heapBytes that is under the budget.
  uint64_t keptBytes = 0;
  /// In the file of spilled results.
  uint64_t spilledBytes = 0;
  /// In mapped files: spilled results and MappedBytes.
  uint64_t mappedBytes = 0;
  /// How often spilling has failed since the process started, and the text of
  /// the last failure: "/tmp: No space left on device".
  uint64_t failedSpills = 0;
  std::string lastFailure;
};

MemoryStatistics memoryStatistics();
void resetPeakHeapBytes();

/// While alive, counts a mapping of a file in MemoryStatistics::mappedBytes.
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
