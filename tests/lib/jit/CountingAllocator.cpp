//===- CountingAllocator.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/tests/lib/jit/CountingAllocator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <unordered_map>

using namespace onnxfold;

namespace {

// Neither pattern is a small number, a float near 1, or an address.
constexpr unsigned char fresh = 0xCB, freed = 0xDB, guard = 0xA7;
constexpr size_t guardSize = 64;
constexpr int64_t keptLimit = int64_t(256) << 20;

struct Block {
  void *memory; ///< what std::free takes
  size_t size;
  size_t lead; ///< bytes of guard before the pointer
  bool live = true;
};

struct Allocator {
  std::unordered_map<void *, Block> blocks;
  std::deque<void *> kept; ///< freed blocks, the oldest first
  int64_t keptBytes = 0;
  size_t countFrom = 0;
  AllocationCounts counts;

  ~Allocator() { clear(); }

  void clear() {
    for (auto &[pointer, block] : blocks)
      std::free(block.memory);
    blocks.clear();
    kept.clear();
    keptBytes = 0;
    counts = {};
  }
};

Allocator &allocator() {
  static Allocator instance;
  return instance;
}

bool holds(const unsigned char *begin, size_t size, unsigned char pattern) {
  return std::all_of(begin, begin + size,
                     [=](unsigned char byte) { return byte == pattern; });
}

void inspect(void *pointer, const Block &block, AllocationCounts &counts) {
  auto *bytes = static_cast<unsigned char *>(pointer);
  if (!block.live && !holds(bytes, block.size, freed))
    ++counts.useAfterFree;
  if (!holds(bytes - block.lead, block.lead, guard) ||
      !holds(bytes + block.size, guardSize, guard))
    ++counts.overruns;
}

} // namespace

void onnxfold::resetCountingAllocator(size_t countFrom) {
  allocator().clear();
  allocator().countFrom = countFrom;
}

AllocationCounts onnxfold::countAllocations() {
  AllocationCounts counts = allocator().counts;
  for (const auto &[pointer, block] : allocator().blocks) {
    inspect(pointer, block, counts);
    counts.leaks += block.live;
  }
  return counts;
}

void *onnxfold::countingAlloc(size_t size) {
  return countingAlignedAlloc(16, size);
}

void *onnxfold::countingAlignedAlloc(size_t alignment, size_t size) {
  Allocator &all = allocator();
  size_t lead = std::max(guardSize, alignment);
  size_t total = (lead + size + guardSize + lead - 1) / lead * lead;
  void *memory = std::aligned_alloc(lead, total);
  if (!memory)
    std::abort();
  auto *bytes = static_cast<unsigned char *>(memory);
  std::memset(bytes, guard, total);
  std::memset(bytes + lead, fresh, size);
  all.blocks[bytes + lead] = {memory, size, lead};

  AllocationCounts &counts = all.counts;
  ++counts.bySize[size];
  if (size < all.countFrom)
    return bytes + lead;
  ++counts.allocations;
  counts.peakBuffers = std::max(counts.peakBuffers, ++counts.liveBuffers);
  counts.liveBytes += size;
  counts.peakBytes = std::max(counts.peakBytes, counts.liveBytes);
  return bytes + lead;
}

void onnxfold::countingFree(void *pointer) {
  Allocator &all = allocator();
  if (!pointer)
    return;
  auto found = all.blocks.find(pointer);
  if (found == all.blocks.end()) {
    ++all.counts.unknownFrees;
    return;
  }
  Block &block = found->second;
  if (!block.live) {
    ++all.counts.doubleFrees;
    return;
  }
  block.live = false;
  std::memset(pointer, freed, block.size);
  ++all.counts.frees;
  if (block.size >= all.countFrom) {
    --all.counts.liveBuffers;
    all.counts.liveBytes -= block.size;
  }
  all.kept.push_back(pointer);
  all.keptBytes += block.size + guardSize;
  while (all.keptBytes > keptLimit) {
    auto oldest = all.blocks.find(all.kept.front());
    all.kept.pop_front();
    inspect(oldest->first, oldest->second, all.counts);
    all.keptBytes -= oldest->second.size + guardSize;
    std::free(oldest->second.memory);
    all.blocks.erase(oldest);
  }
}
