//===- Allocations.cpp - malloc, of which one call fails ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The program's own malloc, which all libraries in it call: it asks that of
// glibc. Counts are those of one process: a run has a fork of its own.
//
//===----------------------------------------------------------------------===//
#include "Faults.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace onnxfold;

/// Allocations so far, and the one that fails; 0: they are not counted.
static std::atomic<int64_t> allocations, failing;
static std::atomic<bool> isLasting, isCounted;

[[maybe_unused]] static bool mayAllocate() {
  if (!isCounted)
    return true;
  int64_t number = ++allocations, wanted = failing;
  if (!wanted || number < wanted || (number > wanted && !isLasting))
    return true;
  errno = ENOMEM;
  return false;
}

[[maybe_unused]] static void noteNew(void *) {}
[[maybe_unused]] static void noteFreed(void *) {}

#include "onnxfold/tests/lib/OwnMalloc.h"

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
