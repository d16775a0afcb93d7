//===- MemoryCounters.h - The numbers behind Memory.h -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The limits and counters of Memory.h as atomics: making a small buffer takes
// no lock, and rarely shares a cache line with another thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_MEMORYCOUNTERS_H
#define ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_MEMORYCOUNTERS_H

#include <atomic>
#include <cstdint>

namespace onnxfold::detail {

class MemoryCounters {
public:
  std::atomic<uint64_t> keptLimit, inFileFrom, recycledLimit, smallestSpilled;
  std::atomic<uint64_t> recycled = 0, kept = 0, spilled = 0, mapped = 0;

  /// Says that a buffer is made (bytes > 0) or destroyed (bytes < 0). Only
  /// large buffers update the peak.
  void addSmall(int64_t bytes) {
    small[stripeOfThread()].bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
  void addLarge(int64_t bytes) {
    large.fetch_add(bytes, std::memory_order_relaxed);
    if (bytes > 0)
      peak();
  }

  uint64_t heap() const {
    int64_t sum = large.load(std::memory_order_relaxed);
    for (const Stripe &stripe : small)
      sum += stripe.bytes.load(std::memory_order_relaxed);
    return sum;
  }
  uint64_t peak() {
    uint64_t now = heap(), seen = peakHeap.load(std::memory_order_relaxed);
    while (now > seen && !peakHeap.compare_exchange_weak(
                             seen, now, std::memory_order_relaxed))
      ;
    return now > seen ? now : seen;
  }
  void resetPeak() { peakHeap = heap(); }

private:
  static constexpr unsigned stripes = 16;
  struct alignas(64) Stripe {
    std::atomic<int64_t> bytes = 0; // made here, freed here: may be negative
  };

  static unsigned stripeOfThread() {
    static std::atomic<unsigned> threads = 0;
    thread_local unsigned stripe = threads++ % stripes;
    return stripe;
  }

  alignas(64) std::atomic<int64_t> large = 0;
  std::atomic<uint64_t> peakHeap = 0;
  Stripe small[stripes];
};

/// The counters are never destroyed: buffers in static objects may outlive
/// other static objects.
MemoryCounters &memoryCounters();

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_MEMORYCOUNTERS_H
