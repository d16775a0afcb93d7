//===- Allocations.cpp - malloc, of which one call fails ------------------===//
//
// The program's own malloc, which all libraries in it call: it asks that of
// glibc. Counts are those of one process: a run has a fork of its own.
//
//===----------------------------------------------------------------------===//
#include "Faults.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <features.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace onnxfold;

/// Allocations so far, and the one that fails; 0: they are not counted.
static std::atomic<int64_t> allocations, failing;
static std::atomic<bool> isLasting, isCounted;

/// Whether this one fails.
[[maybe_unused]] static bool fails() {
  if (!isCounted)
    return false;
  int64_t number = ++allocations, wanted = failing;
  if (!wanted || number < wanted || (number > wanted && !isLasting))
    return false;
  errno = ENOMEM;
  return true;
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void *calloc(size_t count, size_t size) {
  return fails() ? nullptr : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
  return fails() ? nullptr : __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
void free(void *memory) { __libc_free(memory); }
}
#endif

RunEnd onnxfold::runAllocating(const Fault &fault,
                               const std::function<int()> &body) {
  // The child's count comes back in memory that both have.
  auto *counted = static_cast<int64_t *>(
      ::mmap(nullptr, sizeof(int64_t), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *counted = 0;
  RunEnd end;
  pid_t child = ::fork();
  if (child == 0) {
    failing = fault.event;
    isLasting = fault.kind == FaultKind::Exhausted;
    isCounted = true;
    int status = body();
    isCounted = false;
    *counted = allocations;
    std::exit(status);
  }
  waitFor(child, end);
  end.events = *counted;
  end.isHit = fault.event > 0;
  end.event = "allocation #" + std::to_string(fault.event);
  ::munmap(counted, sizeof(int64_t));
  return end;
}
