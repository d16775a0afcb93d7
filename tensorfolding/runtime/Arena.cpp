//===- Arena.cpp - Memory of the parts of a program -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/internal/Arena.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace onnxfold::tensorfolding::internal {

static uint64_t pageBytes() {
  static const auto bytes = uint64_t(sysconf(_SC_PAGESIZE));
  return bytes;
}
static uint64_t pageBefore(uint64_t offset) {
  return offset / pageBytes() * pageBytes();
}
static uint64_t pageAfter(uint64_t offset) {
  return pageBefore(offset + pageBytes() - 1);
}

std::shared_ptr<Arena> Arena::reserve(uint64_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  return std::shared_ptr<Arena>(new Arena(static_cast<char *>(memory), bytes));
}

Arena::Arena(char *memory, uint64_t size) : memory(memory), size(size) {
  unused.emplace(0, size);
}

Arena::~Arena() { munmap(memory, size); }

void *Arena::take(uint64_t offset, uint64_t bytes) {
  std::lock_guard lock(mutex);
  auto range = unused.upper_bound(offset);
  if (range == unused.begin())
    return nullptr;
  --range;
  auto [begin, end] = *range;
  if (offset >= end || bytes > end - offset)
    return nullptr;
  unused.erase(range);
  if (begin < offset)
    unused.emplace(begin, offset);
  if (offset + bytes < end)
    unused.emplace(offset + bytes, end);
  return memory + offset;
}

void Arena::giveBack(uint64_t offset, uint64_t bytes) {
  std::lock_guard lock(mutex);
  uint64_t begin = offset, end = offset + bytes;
  auto after = unused.lower_bound(offset);
  if (after != unused.end() && after->first == end) {
    end = after->second;
    after = unused.erase(after);
  }
  if (after != unused.begin())
    if (auto before = std::prev(after); before->second == begin) {
      begin = before->first;
      unused.erase(before);
    }
  unused.emplace(begin, end);
  // Its pages, and those that it shared with neighbours that are freed.
  uint64_t first = std::max(pageBefore(offset), pageAfter(begin));
  uint64_t last = std::min(pageAfter(offset + bytes),
                           end == size ? pageAfter(end) : pageBefore(end));
  if (first < last)
    madvise(memory + first, last - first, MADV_DONTNEED);
}

} // namespace onnxfold::tensorfolding::internal
