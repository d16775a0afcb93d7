//===- MemoryCounters.h - The numbers behind Memory.h -----------*- C++ -*-===//
//
// Of this folder only; users have Memory.h. Limits and counters as atomics, so
// that making a small buffer takes no lock.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORYCOUNTERS_H
#define ONNXFOLD_ELEMENTS_MEMORYCOUNTERS_H

#include <atomic>
#include <cstdint>

namespace onnxfold::detail {

struct MemoryCounters {
  std::atomic<uint64_t> keptLimit, recycledLimit, smallestSpilled;

  /// Every thread writes these two all the time: a cache line of their own.
  alignas(64) std::atomic<uint64_t> heap = 0;
  std::atomic<uint64_t> peakHeap = 0;
  alignas(64) std::atomic<uint64_t> recycled = 0;
  std::atomic<uint64_t> kept = 0, spilled = 0, mapped = 0;

  void addHeap(uint64_t bytes) {
    uint64_t now = heap.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    uint64_t peak = peakHeap.load(std::memory_order_relaxed);
    while (now > peak && !peakHeap.compare_exchange_weak(
                             peak, now, std::memory_order_relaxed))
      ;
  }
  void removeHeap(uint64_t bytes) {
    heap.fetch_sub(bytes, std::memory_order_relaxed);
  }
};

/// Never destroyed: buffers in static objects may die late.
MemoryCounters &memoryCounters();

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORYCOUNTERS_H
