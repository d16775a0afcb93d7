//===- BlockCache.cpp - Memory of large buffers ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/internal/BlockCache.h"
#include "onnxfold/elements/memory/internal/MemoryCounters.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <utility>

using namespace onnxfold;
using namespace onnxfold::detail;

/// Smaller blocks are malloc's.
static constexpr uint64_t smallestBlock = 64 << 10;

static constexpr uint64_t hugePage = 2 << 20, smallestHuge = 2 * hugePage;

/// A whole number of pages, and of eighths of the next lower power of two, so
/// that tensors of nearly the same size find each other's memory.
static uint64_t blockSize(uint64_t size) {
  return llvm::alignTo(size,
                       std::max<uint64_t>(4096, llvm::bit_floor(size) / 8));
}

/// Beyond that, clearing fresh pages is little beside the work on them.
static uint64_t largestWaiting() { return 4 * memoryCounters().recycledLimit; }

namespace {

struct Block {
  char *bytes = nullptr;
  uint64_t size = 0;

  void unmap() const {
    if (bytes)
      munmap(bytes, size);
  }
};

class BlockCache {
public:
  /// Null if no block of this size waits. Another one is mapped then, so the
  /// large one is freed before: without the cache the two would never be in
  /// memory at once.
  char *take(uint64_t size) {
    std::unique_lock<std::mutex> lock(mutex);
    if (large.size == size)
      return std::exchange(large, {}).bytes;
    auto found = bySize.find(size);
    if (found == bySize.end()) {
      Block dropped = std::exchange(large, {});
      lock.unlock();
      dropped.unmap();
      return nullptr;
    }
    // The last one given back: its lines may still be in the caches.
    char *bytes = found->second.back()->bytes;
    blocks.erase(found->second.back());
    found->second.pop_back();
    forget(found);
    memoryCounters().recycled -= size;
    return bytes;
  }

  void give(char *bytes, uint64_t size) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      blocks.push_back({bytes, size});
      bySize[size].push_back(std::prev(blocks.end()));
      memoryCounters().recycled += size;
    }
    trim();
  }

  /// One that is larger than all that may wait, for the next of its size.
  void giveLarge(char *bytes, uint64_t size) {
    Block dropped{bytes, size};
    {
      std::lock_guard<std::mutex> lock(mutex);
      std::swap(large, dropped);
    }
    dropped.unmap();
  }

  void trim() {
    std::list<Block> evicted;
    {
      std::lock_guard<std::mutex> lock(mutex);
      MemoryCounters &counters = memoryCounters();
      if (large.size > largestWaiting())
        evicted.push_back(std::exchange(large, {}));
      while (counters.recycled > counters.recycledLimit && !blocks.empty()) {
        counters.recycled -= blocks.front().size;
        auto found = bySize.find(blocks.front().size);
        found->second.pop_front();
        forget(found);
        evicted.splice(evicted.end(), blocks, blocks.begin());
      }
    }
    for (const Block &block : evicted)
      block.unmap();
  }

private:
  using Queue = std::list<std::list<Block>::iterator>;

  void forget(std::map<uint64_t, Queue>::iterator found) {
    if (found->second.empty())
      bySize.erase(found);
  }

  std::mutex mutex;
  Block large;             // see giveLarge(); not counted
  std::list<Block> blocks; // oldest first, as those of one size are
  std::map<uint64_t, Queue> bySize;
};

} // namespace

/// Leaked on purpose: buffers in static objects may die after it would.
static BlockCache &blockCache() {
  static BlockCache &cache = *new BlockCache;
  return cache;
}

static char *mapMemory(uint64_t size) {
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return static_cast<char *>(memory);
}

/// Memory that begins with a huge page: kernels before 6.7 put it anywhere,
/// and then the first and the last 2 MB take 512 page faults each.
static char *mapHugePages(uint64_t size) {
  char *memory = mapMemory(size + hugePage);
  auto address = reinterpret_cast<uintptr_t>(memory);
  uint64_t before = llvm::alignTo(address, hugePage) - address;
  if (before)
    munmap(memory, before);
  munmap(memory + before + size, hugePage - before);
  madvise(memory + before, size, MADV_HUGEPAGE);
  return memory + before;
}

static char *takeBlock(uint64_t size) {
  if (size >= smallestBlock) {
    uint64_t rounded = blockSize(size);
    if (char *recycled = blockCache().take(rounded))
      return recycled;
    return rounded >= smallestHuge ? mapHugePages(rounded) : mapMemory(rounded);
  }
  void *bytes = std::aligned_alloc(64, llvm::alignTo(size ? size : 1, 64));
  if (!bytes)
    throw std::bad_alloc();
  return static_cast<char *>(bytes);
}

static void count(uint64_t size, int64_t sign) {
  MemoryCounters &counters = memoryCounters();
  size < smallestBlock ? counters.addSmall(sign * int64_t(size))
                       : counters.addLarge(sign * int64_t(size));
}

char *detail::allocateBlock(uint64_t size) {
  char *bytes = takeBlock(size);
  count(size, 1);
  return bytes;
}

void detail::freeBlock(char *bytes, uint64_t size) {
  count(size, -1);
  uint64_t rounded = blockSize(size);
  if (size < smallestBlock)
    std::free(bytes);
  else if (rounded <= memoryCounters().recycledLimit)
    blockCache().give(bytes, rounded);
  else if (rounded <= largestWaiting())
    blockCache().giveLarge(bytes, rounded);
  else
    munmap(bytes, rounded);
}

void detail::trimRecycledBlocks() { blockCache().trim(); }
