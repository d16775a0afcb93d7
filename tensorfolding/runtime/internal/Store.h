//===- Store.h - The folded values of a process -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The store records which programs hold which folded values and how many bytes
// these take, and decides which are evicted if the budget is exceeded.
//
// One mutex guards the store and the sets of all programs. It is locked when
// folding begins and ends and when weights change, and never by a call that
// finds its constants ready. Memory is not freed, and functions of users are
// not called, while it is locked: dead objects are moved to a Garbage that the
// thread declares before the lock.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_STORE_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_STORE_H

#include "onnxfold/tensorfolding/runtime/FoldedMemory.h"
#include "onnxfold/tensorfolding/runtime/internal/Arena.h"
#include "onnxfold/tensorfolding/runtime/internal/Snapshot.h"
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>

namespace onnxfold::tensorfolding::internal {

struct PartState;

/// The folded values of one part.
struct FoldedBlock {
  ~FoldedBlock();

  // Set before others see it.
  std::vector<void *> values;      // the address of each output as an argument
  std::vector<int64_t> words;      // descriptors and scalars
  std::vector<int64_t *> pointers; // to the descriptors
  std::vector<void *> allocations; // what the fold function allocated
  void *memory = nullptr;          // or what we did for it, at
  Place place;                     // in an arena, or alone
  uint64_t bytes = 0;

  // Guarded by the store's mutex.
  uint32_t owners = 0; // parts, snapshots, and calls that prepare themselves
  uint32_t holds = 0;  // of these the calls
  uint64_t sequence = 0;
  uint64_t lastUse = 0;
  ContentHash part = {};
  uint64_t sample = 0;
  bool isIndexed = false; // others may share it
  /// The hash is computed when another part may be equal. Until then the inputs
  /// are kept.
  std::optional<ContentHash> inputsHash;
  std::vector<std::shared_ptr<const Weight>> inputs;
  std::vector<PartState *> parts;
  std::vector<Snapshot *> snapshots;
};

/// A part in one set of a program, or in both. It must not be destroyed while
/// the mutex is locked.
struct PartState {
  ~PartState();

  uint32_t number = 0; // of Metadata::parts
  std::mutex folding;  // held by the thread that folds it; taken before Store's
  // Guarded by the store's mutex.
  std::vector<std::shared_ptr<const Weight>> inputs;
  FoldedBlock *block = nullptr;
  Place place; // for its values if nobody else's are there
  std::atomic<uint64_t> *evictions = nullptr; // of its program
};

/// Objects that died under the lock, to be destroyed after it.
struct Garbage {
  std::vector<std::unique_ptr<FoldedBlock>> blocks;
  std::vector<std::shared_ptr<const Weight>> weights;
};

class Store {
public:
  static Store &get();

  std::mutex mutex;
  /// Is locked shared while weights of other programs are read, so that a
  /// thread that releases weights can wait for the readers.
  std::shared_mutex hashing;

  FoldedMemoryAllocator allocator() const { return memory; }
  void setAllocator(FoldedMemoryAllocator allocator) { memory = allocator; }
  /// Arenas are the system's memory; a user's allocator has a block for each.
  bool usesArenas() const { return memory.allocate == std::aligned_alloc; }

  /// The time of a call.
  uint64_t tick() { return clock.fetch_add(1, std::memory_order_relaxed) + 1; }
  /// Whether anything is ever evicted.
  bool isLimited() const {
    return budget.load(std::memory_order_relaxed) != noMemoryBudget;
  }
  bool isOverBudget() const {
    return overBudget.load(std::memory_order_relaxed);
  }

  // REQUIRES for all below: the mutex is held.

  void setBudget(uint64_t bytes, Garbage &garbage);
  FoldedMemoryStatistics statistics() const { return {resident, all.size()}; }

  /// Counts a block, which has no owner yet, and lets others share it if asked.
  void add(FoldedBlock &block, bool share);
  /// Add and remove an owner; the last one frees the block.
  void retain(FoldedBlock &block) { ++block.owners; }
  void release(FoldedBlock &block, Garbage &garbage);
  /// Adds a call as an owner: blocks that a call holds are not evicted.
  void hold(FoldedBlock &block) { ++block.owners, ++block.holds; }
  void unhold(FoldedBlock &block, Garbage &garbage) {
    --block.holds;
    release(block, garbage);
  }
  /// Makes the block that of the part, which becomes an owner.
  void give(FoldedBlock &block, PartState &part);
  /// Removes the part's block from it.
  void take(PartState &part, Garbage &garbage);

  /// Blocks that may be equal to what a part folds to.
  std::vector<FoldedBlock *> candidates(const ContentHash &part,
                                        uint64_t sample) const;

  /// Evicts the least recently used blocks until that many more bytes fit, or
  /// until all others are in use.
  void makeRoom(uint64_t bytes, Garbage &garbage);

  /// Removes a snapshot from its set and unpublishes it. It is emptied
  /// immediately, or when its last pin is removed.
  void retire(Snapshot &snapshot, Garbage &garbage);
  /// Empties a retired snapshot if it is not pinned any more.
  void reclaim(Snapshot &snapshot, Garbage &garbage);

  /// Drops the inputs of a block when its hash is known, or is no longer
  /// needed.
  void dropInputs(FoldedBlock &block, Garbage &garbage);

private:
  void unindex(FoldedBlock &block, Garbage &garbage);
  void evict(FoldedBlock &block, Garbage &garbage);

  std::atomic<uint64_t> clock = 0;
  std::atomic<uint64_t> budget = noMemoryBudget;
  std::atomic<bool> overBudget = false;
  FoldedMemoryAllocator memory = {std::aligned_alloc, std::free};
  uint64_t resident = 0;
  uint64_t nextSequence = 0;
  std::map<uint64_t, FoldedBlock *> all; // by sequence
  std::multimap<std::pair<ContentHash, uint64_t>, FoldedBlock *> shareable;
};

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_STORE_H
