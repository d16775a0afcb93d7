//===- Heap.cpp - How the process gets its memory -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tools/support/Heap.h"

#include <cstdint>
#include <cstdlib> // defines __GLIBC__
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

/// Addresses, not memory: that comes when they are touched.
static constexpr int reserved = 1 << 30;
/// A small model needs so much. A large page is cleared as a whole, 2 MB of
/// which it would use a part.
static constexpr uintptr_t smallPages = 3 << 20;

/// The heap grows by `reserved` once, and these addresses, but for the first,
/// get large pages. (The same for every growth would take a setting of the
/// environment.)
static void reserveLargePages() {
  // Freed memory of the heap is kept by the process then. Larger buffers are
  // mapped and given back; the tables of large models are, too.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 2 * (reserved - 1));
  mallopt(M_TOP_PAD, reserved);
  char *before = static_cast<char *>(::sbrk(0));
  constexpr size_t part = 64 << 10; // malloc makes it on the heap
  void *volatile parts[4];          // more than it starts with
  for (void *volatile &one : parts)
    one = std::malloc(part);
  char *end = static_cast<char *>(::sbrk(0));
  mallopt(M_TOP_PAD, 1 << 20);
  for (void *volatile &one : parts)
    std::free(one);
  constexpr uintptr_t page = 2 << 20;
  auto begin = (reinterpret_cast<uintptr_t>(before) + smallPages + page - 1) &
               ~(page - 1);
  auto size = reinterpret_cast<uintptr_t>(end) - begin;
  if (end - before >= reserved)
    ::madvise(reinterpret_cast<void *>(begin), size, MADV_HUGEPAGE);
}
#endif

void onnxfold::prepareHeap() {
#ifdef __GLIBC__
  // Freed pieces wait in a list that glibc walks, with all that is next to
  // them, at each request for a few kilobytes: a quarter of all cache
  // misses. Joined with their neighbours at once they cost nothing later.
  mallopt(M_MXFAST, 0);
  reserveLargePages();
#endif
}
