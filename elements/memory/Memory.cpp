//===- Memory.cpp - How much memory tensors may take ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/memory/internal/BlockCache.h"
#include "onnxfold/elements/memory/internal/KeptBytes.h"
#include "onnxfold/elements/memory/internal/MemoryCounters.h"

using namespace onnxfold;
using namespace onnxfold::detail;

//===----------------------------------------------------------------------===//
// Limits and numbers
//===----------------------------------------------------------------------===//

static void setCounters(MemoryCounters &counters, const MemoryLimits &limits) {
  counters.keptLimit = limits.keptBytes;
  counters.inFileFrom = std::max(limits.largestInMemory, limits.keptBytes);
  counters.recycledLimit = limits.recycledBytes;
  counters.smallestSpilled = limits.smallestSpilled;
}

MemoryCounters &detail::memoryCounters() {
  static MemoryCounters &all = *[] {
    auto *made = new MemoryCounters;
    setCounters(*made, MemoryLimits());
    return made;
  }();
  return all;
}

namespace {
/// The limits that were set last.
struct CurrentLimits {
  std::mutex mutex;
  MemoryLimits limits;
};
} // namespace

static CurrentLimits &currentLimits() {
  static CurrentLimits &current = *new CurrentLimits;
  return current;
}

MemoryLimits onnxfold::memoryLimits() {
  std::lock_guard<std::mutex> lock(currentLimits().mutex);
  return currentLimits().limits;
}

void onnxfold::setMemoryLimits(const MemoryLimits &limits) {
  {
    std::lock_guard<std::mutex> lock(currentLimits().mutex);
    currentLimits().limits = limits;
    setCounters(memoryCounters(), limits);
    setSpillFolder(limits.folder);
  }
  retrySpilling(); // perhaps the folder is a better one
  trimKeptBytes();
  trimRecycledBlocks();
}

MemoryStatistics onnxfold::memoryStatistics() {
  MemoryCounters &counters = memoryCounters();
  MemoryStatistics result;
  result.heapBytes = counters.heap();
  result.peakHeapBytes = counters.peak();
  result.recycledBytes = counters.recycled;
  result.keptBytes = counters.kept;
  result.spilledBytes = counters.spilled;
  result.mappedBytes = counters.mapped;
  std::tie(result.failedSpills, result.lastFailure) = spillFailures();
  return result;
}

void onnxfold::resetPeakHeapBytes() { memoryCounters().resetPeak(); }

MappedBytes::MappedBytes(uint64_t bytes) : bytes(bytes) {
  memoryCounters().mapped += bytes;
}

MappedBytes::~MappedBytes() { memoryCounters().mapped -= bytes; }
