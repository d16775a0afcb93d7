//===- FoldedMemory.h - Memory of folded values in a process ----*- C++ -*-===//
//
// The folded values of all programs of the process: how much they may take, how
// much they take, and where it comes from.
//
//   setFoldedMemoryBudget(uint64_t(2) << 30);
//   printf("%llu bytes\n", (unsigned long long)foldedMemory().bytes);
//
// The budget never makes a call fail. What running calls use is kept; when they
// end, or when another part is folded, what was used least recently is evicted
// until the rest fits.
//
// Any thread may call these functions; setFoldedMemoryAllocator only before
// anything was folded.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDMEMORY_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDMEMORY_H

#include <cstddef>
#include <cstdint>

namespace onnxfold::tensorfolding {

/// In bytes; no limit until it is set. Evicts at once.
constexpr uint64_t noMemoryBudget = UINT64_MAX;
void setFoldedMemoryBudget(uint64_t bytes);

struct FoldedMemoryStatistics {
  uint64_t bytes = 0;  // of folded values that are kept
  uint64_t blocks = 0; // parts that they belong to; shared ones count once
};
FoldedMemoryStatistics foldedMemory();

/// As std::aligned_alloc and std::free, for folded values that the library
/// allocates (those of fold functions with out-parameters), one block for each
/// part. `allocate` may give null. Until one is set, parts of static shape of
/// one program are in one arena of the system's memory.
struct FoldedMemoryAllocator {
  void *(*allocate)(size_t alignment, size_t bytes);
  void (*free)(void *block);
};
void setFoldedMemoryAllocator(FoldedMemoryAllocator allocator);

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDMEMORY_H
