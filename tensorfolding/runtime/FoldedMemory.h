//===- FoldedMemory.h - Memory of folded values in a process ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The memory of the folded values of all programs of the process: its budget,
// its size, and its allocator.
//
//   setFoldedMemoryBudget(uint64_t(2) << 30);
//   printf("%llu bytes\n", (unsigned long long)foldedMemory().bytes);
//
// The budget never makes a call fail. Values that running calls use are kept;
// when these end, or when another part is folded, the least recently used parts
// are evicted until the rest fits.
//
// Thread safety: any thread may call these functions. setFoldedMemoryAllocator
// may be called only before the first part is folded.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDMEMORY_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDMEMORY_H

#include <cstddef>
#include <cstdint>

namespace onnxfold::tensorfolding {

/// Sets the budget in bytes, and evicts at once if it is exceeded. There is no
/// limit until it is set.
constexpr uint64_t noMemoryBudget = UINT64_MAX;
void setFoldedMemoryBudget(uint64_t bytes);

struct FoldedMemoryStatistics {
  uint64_t bytes = 0;  // of folded values that are kept
  uint64_t blocks = 0; // parts that they belong to; shared ones count once
};
FoldedMemoryStatistics foldedMemory();

/// As std::aligned_alloc and std::free, for folded values that the library
/// allocates (those of fold functions with out-parameters), one block for each
/// part. `allocate` may return null. Until one is set, parts of static shape of
/// one program are in one arena of the system's memory.
struct FoldedMemoryAllocator {
  void *(*allocate)(size_t alignment, size_t bytes);
  void (*free)(void *block);
};
void setFoldedMemoryAllocator(FoldedMemoryAllocator allocator);

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDMEMORY_H
