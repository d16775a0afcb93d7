//===- GuardedMemory.cpp - Memory that finds wrong accesses ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/compile/GuardedMemory.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>

using namespace onnxfold;

static constexpr unsigned char pattern = 0xa5;

namespace {
/// Pages from `first` on: before the block, the block, behind it, and one that
/// nobody may touch.
struct GuardedBlock {
  unsigned char *first;
  size_t pageBytes; // all but the last page
  size_t bytes;
};

struct GuardedHeap {
  std::mutex mutex;
  std::unordered_map<const void *, GuardedBlock> live;
  std::deque<GuardedBlock> freed;
};
} // namespace

/// Never destroyed: programs free until the process ends.
static GuardedHeap &guardedHeap() {
  static auto *heap = new GuardedHeap;
  return *heap;
}

static size_t pageSize() { return size_t(sysconf(_SC_PAGESIZE)); }

[[noreturn]] static void stopAtBlock(const void *block, const char *text) {
  std::fprintf(stderr, "onnx-run: error: the block at %p %s\n", block, text);
  std::abort();
}

void *onnxfold::guardedAllocate(size_t alignment, size_t bytes) {
  size_t page = pageSize();
  size_t rounded = (bytes + alignment - 1) & -alignment;
  size_t pageBytes = std::max((rounded + page - 1) & -page, page);
  if (rounded < bytes || pageBytes < rounded)
    return nullptr;
  void *pages = mmap(nullptr, pageBytes + page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return nullptr;
  auto *first = static_cast<unsigned char *>(pages);
  mprotect(first + pageBytes, page, PROT_NONE);
  std::memset(first, pattern, pageBytes);
  // A block of no bytes is where nothing can be read.
  void *block = first + (pageBytes - rounded);
  GuardedHeap &heap = guardedHeap();
  std::lock_guard guard(heap.mutex);
  heap.live[block] = {first, pageBytes, bytes};
  return block;
}

/// Stops unless everything around a block is as it was.
static void checkAround(const void *block, const GuardedBlock &pages) {
  auto isUntouched = [](const unsigned char *from, const unsigned char *to) {
    return std::all_of(from, to, [](unsigned char c) { return c == pattern; });
  };
  auto *begin = static_cast<const unsigned char *>(block);
  if (!isUntouched(pages.first, begin))
    stopAtBlock(block, "was written to before its beginning");
  if (!isUntouched(begin + pages.bytes, pages.first + pages.pageBytes))
    stopAtBlock(block, "was written to behind its end");
}

void onnxfold::guardedFree(void *block) {
  constexpr size_t mostFreed = 10'000; // a process may have 65,530 areas
  GuardedHeap &heap = guardedHeap();
  std::lock_guard guard(heap.mutex);
  auto found = heap.live.find(block);
  if (found == heap.live.end())
    stopAtBlock(block, "is freed, but was not allocated, or was freed before");
  GuardedBlock pages = found->second;
  checkAround(block, pages);
  heap.live.erase(found);
  mprotect(pages.first, pages.pageBytes, PROT_NONE);
  madvise(pages.first, pages.pageBytes, MADV_DONTNEED);
  heap.freed.push_back(pages);
  if (heap.freed.size() <= mostFreed)
    return;
  GuardedBlock oldest = heap.freed.front();
  heap.freed.pop_front();
  munmap(oldest.first, oldest.pageBytes + pageSize());
}

size_t onnxfold::guardedSize(const void *block) {
  GuardedHeap &heap = guardedHeap();
  std::lock_guard guard(heap.mutex);
  auto found = heap.live.find(block);
  if (found == heap.live.end())
    stopAtBlock(block, "is freed, but was not allocated, or was freed before");
  return found->second.bytes;
}

const void *onnxfold::guardedCopy(const void *data, size_t bytes) {
  void *copy = guardedAllocate(/*alignment=*/64, bytes);
  if (!copy)
    return data;
  std::memcpy(copy, data, bytes);
  GuardedHeap &heap = guardedHeap();
  std::lock_guard guard(heap.mutex);
  const GuardedBlock &pages = heap.live[copy];
  mprotect(pages.first, pages.pageBytes, PROT_READ);
  return copy;
}
