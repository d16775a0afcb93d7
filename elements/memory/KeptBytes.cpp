//===- KeptBytes.cpp - Bytes in memory or spilled -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/internal/KeptBytes.h"
#include "onnxfold/elements/memory/internal/MemoryCounters.h"
#include <cassert>

using namespace onnxfold;
using namespace onnxfold::detail;

//===----------------------------------------------------------------------===//
// Who is next
//===----------------------------------------------------------------------===//

namespace onnxfold::detail {

/// The kept bytes in the heap that nobody has pinned, in the order in which
/// they were released.
class KeptList {
public:
  void add(KeptBytes &bytes, bool first) {
    if (bytes.bytes == 0 || bytes.bytes < memoryCounters().smallestSpilled)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    if (bytes.listed)
      return;
    bytes.listed = true;
    idle.insert(first ? idle.begin() : idle.end(), bytes);
  }

  void remove(KeptBytes &bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    if (bytes.listed)
      idle.remove(bytes);
    bytes.listed = false;
  }

  void trim();

  void retry() {
    std::lock_guard<std::mutex> lock(mutex);
    resumeAt = 0;
  }

private:
  KeptBytesRef next();

  std::mutex mutex;
  llvm::simple_ilist<KeptBytes> idle;
  uint64_t leaving = 0;  // bytes that are being spilled
  uint64_t resumeAt = 0; // kept bytes at which it is tried again
};

} // namespace onnxfold::detail

/// Leaked on purpose: buffers in static objects may die after it would.
static KeptList &keptList() {
  static KeptList &list = *new KeptList;
  return list;
}

/// The next one to spill, or null if all fits or nothing may be spilled.
KeptBytesRef KeptList::next() {
  std::lock_guard<std::mutex> lock(mutex);
  MemoryCounters &counters = memoryCounters();
  uint64_t staying = counters.kept - std::min<uint64_t>(counters.kept, leaving);
  if (staying <= counters.keptLimit || staying < resumeAt || idle.empty())
    return nullptr;
  // Its owner is alive: before it dies, it takes the bytes off the list.
  KeptBytesRef result = &idle.front();
  idle.pop_front();
  result->listed = false;
  leaving += result->size();
  return result;
}

void KeptList::trim() {
  while (KeptBytesRef bytes = next()) {
    KeptBytes::Spill outcome = bytes->spill();
    std::lock_guard<std::mutex> lock(mutex);
    leaving -= bytes->size();
    if (outcome == KeptBytes::Spill::Done)
      resumeAt = 0;
    if (outcome != KeptBytes::Spill::Failed)
      continue;
    // A full disk is full for a while: it is tried again when as much as the
    // budget has come, or when somebody made room.
    resumeAt = memoryCounters().kept +
               std::max<uint64_t>(memoryCounters().keptLimit, bytes->size());
    return;
  }
}

void detail::trimKeptBytes() {
  // Read without the lock: who has just added bytes sees them.
  if (memoryCounters().kept > memoryCounters().keptLimit)
    keptList().trim();
}

void detail::retrySpilling() { keptList().retry(); }

//===----------------------------------------------------------------------===//
// KeptBytes
//===----------------------------------------------------------------------===//

KeptBytes::KeptBytes(HeapBufferRef heap)
    : bytes(heap->size()), heap(std::move(heap)) {}

KeptBytes::KeptBytes(std::unique_ptr<SpilledRange> spilled)
    : bytes(spilled->size()), range(std::move(spilled)) {}

KeptBytes::~KeptBytes() { assert(!heap && !mapped && !listed); }

/// REQUIRES: the mutex is held.
void KeptBytes::dropHeap() {
  if (heap && kept) {
    keptList().remove(*this);
    memoryCounters().kept -= bytes;
  }
  heap = nullptr;
}

const char *KeptBytes::acquire() {
  std::lock_guard<std::mutex> lock(mutex);
  if (pins++ == 0 && kept && heap)
    keptList().remove(*this);
  if (heap)
    return heap->data();
  if (!mapped)
    mapped = range->map(/*writable=*/false);
  if (mapped)
    return mapped;
  // No addresses are left: memory it is, while the pin lasts.
  heap = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes);
  if (kept)
    memoryCounters().kept += bytes;
  range->read(heap->data());
  return heap->data();
}

unsigned KeptBytes::release() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--pins != 0)
    return pins;
  if (range) {
    dropHeap();
    if (const char *last = std::exchange(mapped, nullptr))
      range->unmap(last);
  } else if (kept && !spilling) {
    keptList().add(*this, /*first=*/false);
  }
  return 0;
}

bool KeptBytes::isPinned() {
  std::lock_guard<std::mutex> lock(mutex);
  return pins != 0;
}

void KeptBytes::keep() {
  std::lock_guard<std::mutex> lock(mutex);
  if (std::exchange(kept, true) || !heap)
    return;
  memoryCounters().kept += bytes;
  if (pins == 0)
    keptList().add(*this, /*first=*/false);
}

void KeptBytes::retire() {
  std::unique_ptr<SpilledRange> dead;
  {
    std::lock_guard<std::mutex> lock(mutex);
    assert(pins == 0);
    retired = true;
    dropHeap();
    dead = std::move(range);
  }
  if (!dead)
    return;
  dead = nullptr;
  retrySpilling(); // there is room now
}

HeapBufferRef KeptBytes::take() {
  std::lock_guard<std::mutex> lock(mutex);
  if (pins != 0 || spilling || range)
    return nullptr;
  HeapBufferRef result = heap;
  dropHeap();
  return result;
}

KeptBytes::Spill KeptBytes::spill() {
  HeapBufferRef source;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (range)
      return Spill::Done;
    if (spilling || retired)
      return Spill::Busy;
    spilling = true;
    source = heap;
  }
  // Readers use the bytes in the heap meanwhile.
  std::unique_ptr<SpilledRange> written = SpilledRange::reserve(bytes);
  if (written && !written->write(0, source->data(), bytes))
    written = nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  spilling = false;
  if (retired)
    return Spill::Done;
  if (!written) {
    if (pins == 0)
      keptList().add(*this, /*first=*/true);
    return Spill::Failed;
  }
  range = std::move(written);
  if (pins == 0)
    dropHeap();
  return Spill::Done;
}

KeptBytesRef detail::computeBytes(uint64_t size,
                                  llvm::function_ref<void(char *out)> compute) {
  MemoryCounters &counters = memoryCounters();
  if (size > counters.inFileFrom && size >= counters.smallestSpilled)
    if (std::unique_ptr<SpilledRange> range = SpilledRange::reserve(size))
      if (char *out = range->map(/*writable=*/true)) {
        compute(out);
        range->unmap(out);
        return llvm::makeIntrusiveRefCnt<KeptBytes>(std::move(range));
      }
  auto heap = llvm::makeIntrusiveRefCnt<HeapBuffer>(size);
  compute(heap->data());
  return llvm::makeIntrusiveRefCnt<KeptBytes>(std::move(heap));
}
