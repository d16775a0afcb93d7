//===- Snapshot.h - What a call needs, ready to use -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A snapshot holds all constants of an entry. Calls pin the published one
// without a lock, and the values that it holds are kept until it has no pins:
//
//   if (Snapshot *snapshot = pinPublished(published)) {
//     ... run ...
//     if (!snapshot->unpin())
//       store.reclaim(...);                          // it was retired meanwhile
//   }
//
// The counts of pins are in several cache lines, and a thread always uses the
// same one, so that threads do not contend for one line. A snapshot is never
// freed before its program, only emptied and used again: a thread that pins one
// that was just retired sees that it is not published any more, and unpins it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_SNAPSHOT_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_SNAPSHOT_H

#include "onnxfold/tensorfolding/runtime/internal/Weight.h"
#include <atomic>
#include <cstdint>
#include <vector>

namespace onnxfold::tensorfolding::internal {

struct FoldedBlock;

class Snapshot {
public:
  void pin() { count().fetch_add(1); }

  /// False if the snapshot is retired: the caller must then reclaim it if this
  /// was the last pin.
  [[nodiscard]] bool unpin() {
    count().fetch_sub(1);
    return !retired.load();
  }
  bool isPinned() const {
    for (const Count &count : counts)
      if (count.pins.load() != 0)
        return true;
    return false;
  }

  /// For the entry: the address of each argument that is a constant, null for
  /// the others. Written before it is published.
  std::vector<void *> values;

  /// When a call began, in the store's clock.
  std::atomic<uint64_t> lastUse = 0;
  std::atomic<bool> retired = false;

  // The owners that keep `values` valid. Guarded by the store's mutex.
  std::vector<FoldedBlock *> blocks;
  std::vector<std::shared_ptr<const Weight>> weights;
  /// The set whose constants these are has its address here, or null.
  Snapshot **home = nullptr;
  /// The pointer by which calls find it, or null.
  std::atomic<Snapshot *> *published = nullptr;
  /// The list to which it is added when it is empty.
  std::vector<Snapshot *> *unused = nullptr;

private:
  struct alignas(64) Count {
    std::atomic<int64_t> pins = 0;
  };
  static constexpr unsigned lines = 16;

  std::atomic<int64_t> &count() {
    static std::atomic<unsigned> threads = 0;
    thread_local unsigned line = threads.fetch_add(1) % lines;
    return counts[line].pins;
  }

  Count counts[lines];
};

/// Pins what is published; null if nothing is. Calls lost(snapshot) for one that
/// was retired between. (Tests put something else in place of the atomic.)
template <typename Published, typename Lost>
Snapshot *pinPublished(Published &published, Lost lost) {
  while (Snapshot *snapshot = published.load()) {
    snapshot->pin();
    // Whoever retires it takes it away from there first, and then looks at the
    // pins: it sees ours, or we see that it is not published.
    if (published.load() == snapshot)
      return snapshot;
    if (!snapshot->unpin())
      lost(*snapshot);
  }
  return nullptr;
}

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_SNAPSHOT_H
