//===- Preparation.cpp - Fold what a call needs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/internal/Implementation.h"

namespace onnxfold::tensorfolding {
using namespace internal;

//===----------------------------------------------------------------------===//
// One part
//===----------------------------------------------------------------------===//

/// Holds the part's block for the caller; null if it has none.
static FoldedBlock *holdBlock(PartState &part) {
  Store &store = Store::get();
  std::lock_guard lock(store.mutex);
  if (part.block)
    store.hold(*part.block);
  return part.block;
}

/// Holds the part's block, which is folded if it must be. Without `wait` it
/// leaves a part that another thread is folding alone: `held` is null then.
Error FoldedProgram::Implementation::obtain(PartState &part, bool wait,
                                            FoldedBlock *&held) {
  held = holdBlock(part);
  if (held)
    return Error();
  std::unique_lock folding(part.folding, std::defer_lock);
  if (wait)
    folding.lock();
  else if (!folding.try_lock())
    return Error();
  held = holdBlock(part); // another thread was faster
  return held ? Error() : foldPart(part, held);
}

/// REQUIRES: the part's `folding` is locked.
Error FoldedProgram::Implementation::foldPart(PartState &state,
                                              FoldedBlock *&held) {
  Store &store = Store::get();
  const Part &part = metadata.parts[state.number];
  Weights inputs;
  Place place;
  {
    std::lock_guard lock(store.mutex);
    inputs = state.inputs;
    place = state.place;
  }
  uint64_t sample = 0;
  std::optional<ContentHash> hash;
  if (mayShare(part)) {
    if (inputs.empty())
      hash = hashInputs(part.hash, inputs);
    sample = sampleInputs(part.hash, inputs);
    held = takeShared(state, inputs, sample, hash);
    if (held)
      return Error();
  }
  if (store.isLimited()) {
    Garbage garbage;
    std::lock_guard lock(store.mutex);
    store.makeRoom(staticBlockBytes(metadata, part), garbage);
  }
  Error error;
  std::unique_ptr<FoldedBlock> block = runFold(
      metadata, part, foldFunctions[state.number], inputs, place, error);
  if (!block)
    return error;
  ++folds;
  // Another program may have folded the same meanwhile.
  if (mayShare(part)) {
    held = takeShared(state, inputs, sample, hash);
    if (held)
      return Error();
  }
  block->part = part.hash;
  block->sample = sample;
  block->inputsHash = hash;
  if (mayShare(part) && !hash)
    block->inputs = inputs;
  std::lock_guard lock(store.mutex);
  held = block.release();
  store.add(*held, mayShare(part));
  store.give(*held, state);
  store.hold(*held);
  return Error();
}

/// Gives the part an equal block of another one and holds it; null if there is
/// none. Hashes all bytes only if samples of them are equal.
FoldedBlock *FoldedProgram::Implementation::takeShared(
    PartState &state, const Weights &inputs, uint64_t sample,
    std::optional<ContentHash> &hash) {
  Store &store = Store::get();
  const ContentHash &partHash = metadata.parts[state.number].hash;
  Garbage garbage;
  std::deque<Weights> others; // of candidates whose hash is not known yet
  std::shared_lock reading(store.hashing, std::defer_lock);
  while (true) {
    FoldedBlock *unknown = nullptr;
    {
      std::lock_guard lock(store.mutex);
      for (FoldedBlock *block : store.candidates(partHash, sample)) {
        if (!block->inputsHash) {
          unknown = block;
        } else if (hash && block->inputsHash == hash) {
          store.give(*block, state);
          store.hold(*block);
          ++shared;
          return block;
        } else if (!hash) {
          unknown = unknown ? unknown : block;
        }
      }
      if (!unknown)
        return nullptr;
      if (!reading.owns_lock() && !reading.try_lock())
        return nullptr; // somebody gives weights up: it is not worth waiting
      others.push_back(unknown->inputs);
      store.hold(*unknown);
    }
    if (!hash)
      hash = hashInputs(partHash, inputs);
    std::optional<ContentHash> hashOfOthers;
    if (!others.back().empty())
      hashOfOthers = hashInputs(partHash, others.back());
    std::lock_guard lock(store.mutex);
    if (!unknown->inputsHash && hashOfOthers) {
      unknown->inputsHash = hashOfOthers;
      store.dropInputs(*unknown, garbage);
    }
    store.unhold(*unknown, garbage);
  }
}

//===----------------------------------------------------------------------===//
// A set
//===----------------------------------------------------------------------===//

/// Less is not worth pages of its own.
static constexpr uint64_t leastArena = 8192;

/// Gives the parts that are folded for the first time places in one arena; a
/// part alone, and parts whose sizes are not known, have memory of their own.
/// REQUIRES: the store's mutex is held.
static void placeParts(const Metadata &metadata, const ConstantSet &set) {
  if (!Store::get().usesArenas())
    return;
  std::vector<std::pair<PartState *, uint64_t>> placed; // with offsets
  uint64_t end = 0;
  for (const std::shared_ptr<PartState> &part : set.parts) {
    if (part->block || part->place.arena)
      continue;
    if (uint64_t bytes =
            staticBlockBytes(metadata, metadata.parts[part->number])) {
      placed.emplace_back(part.get(), end);
      end += bytes;
    }
  }
  if (placed.size() < 2 || end < leastArena)
    return;
  if (std::shared_ptr<Arena> arena = Arena::reserve(end))
    for (auto [part, offset] : placed)
      part->place = {arena, offset};
}

/// The blocks that a thread holds while it prepares a set.
struct FoldedProgram::Implementation::Preparation {
  explicit Preparation(size_t parts) : blocks(parts) {}
  ~Preparation() {
    Garbage garbage;
    std::lock_guard lock(Store::get().mutex);
    for (FoldedBlock *block : blocks)
      if (block)
        Store::get().unhold(*block, garbage);
  }
  Preparation(const Preparation &) = delete;

  std::vector<FoldedBlock *> blocks;
};

/// Folds what the set lacks, publishes it if the set is active, and pins it.
Error FoldedProgram::Implementation::prepare(const SharedSet &set,
                                             Snapshot *&pinned) {
  {
    std::lock_guard lock(Store::get().mutex);
    if (Error error = findMissing(*set))
      return error;
    placeParts(metadata, *set);
  }
  Preparation held(set->parts.size());
  // First all that is there, so that it is not evicted to make room for the
  // rest; then what nobody else folds, so that threads share the work.
  for (size_t i = 0; i < set->parts.size(); ++i)
    held.blocks[i] = holdBlock(*set->parts[i]);
  for (bool wait : {false, true})
    for (size_t i = 0; i < set->parts.size(); ++i)
      if (!held.blocks[i])
        if (Error error = obtain(*set->parts[i], wait, held.blocks[i]))
          return error;
  Garbage garbage;
  std::lock_guard lock(Store::get().mutex);
  pinned = &publish(set, held.blocks, garbage);
  return Error();
}

/// The set's snapshot, pinned. REQUIRES: the store's mutex is held.
FoldedProgram::Implementation::Snapshot &
FoldedProgram::Implementation::publish(const SharedSet &set,
                                       const std::vector<FoldedBlock *> &blocks,
                                       Garbage &garbage) {
  if (set->snapshot && set->snapshot->blocks != blocks)
    Store::get().retire(*set->snapshot, garbage);
  if (!set->snapshot) {
    if (unusedSnapshots.empty())
      unusedSnapshots.push_back(&snapshots.emplace_back());
    set->snapshot = unusedSnapshots.back();
    unusedSnapshots.pop_back();
    fill(*set->snapshot, *set, blocks);
  }
  Snapshot &snapshot = *set->snapshot;
  snapshot.home = &set->snapshot;
  snapshot.unused = &unusedSnapshots;
  snapshot.lastUse = Store::get().tick();
  snapshot.pin();
  if (set == active && !snapshot.published) {
    snapshot.published = &ready;
    ready = &snapshot;
  }
  return snapshot;
}

/// Makes the snapshot an owner of the blocks and writes the entry's constants.
void FoldedProgram::Implementation::fill(
    Snapshot &snapshot, const ConstantSet &set,
    const std::vector<FoldedBlock *> &blocks) const {
  snapshot.blocks = blocks;
  std::vector<void *> folded(metadata.foldedValues.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    Store::get().retain(*blocks[i]);
    blocks[i]->snapshots.push_back(&snapshot);
    const std::vector<uint32_t> &outputs = metadata.parts[i].outputs;
    for (size_t k = 0; k < outputs.size(); ++k)
      folded[outputs[k]] = blocks[i]->values[k];
  }
  snapshot.values.assign(entry.valueCount(), nullptr);
  for (size_t i = 0; i < metadata.entryArguments.size(); ++i) {
    EntryArgument from = metadata.entryArguments[i];
    void *&value = snapshot.values[1 + i];
    if (from.kind == EntryArgument::Kind::Folded) {
      value = folded[from.index];
    } else if (metadata.arguments[from.index].role != ArgumentRole::Input) {
      const std::shared_ptr<const Weight> &weight = set.weights[from.index];
      value = metadata.arguments[from.index].type.isScalar ? weight->asScalar()
                                                           : weight->asTensor();
      snapshot.weights.push_back(weight);
    }
  }
}

//===----------------------------------------------------------------------===//
// Pins
//===----------------------------------------------------------------------===//

/// Pins what calls use. Ready: one load, and a count up.
Error FoldedProgram::Implementation::pinReady(Snapshot *&pinned) {
  pinned = pinPublished(ready, [this](Snapshot &snapshot) {
    Garbage garbage;
    std::lock_guard lock(Store::get().mutex);
    Store::get().reclaim(snapshot, garbage);
  });
  if (!pinned) {
    SharedSet set;
    {
      std::lock_guard lock(Store::get().mutex);
      set = active;
    }
    return prepare(set, pinned);
  }
  if (Store::get().isLimited())
    pinned->lastUse.store(Store::get().tick(), std::memory_order_relaxed);
  return Error();
}

void FoldedProgram::Implementation::unpin(Snapshot &snapshot) {
  Store &store = Store::get();
  bool isLive = snapshot.unpin();
  if (isLive && !store.isOverBudget())
    return;
  Garbage garbage;
  std::lock_guard lock(store.mutex);
  store.reclaim(snapshot, garbage);
  store.makeRoom(0, garbage);
}

Error FoldedProgram::Implementation::fold() {
  Snapshot *pinned;
  if (Error error = pinReady(pinned))
    return error;
  unpin(*pinned);
  return Error();
}

} // namespace onnxfold::tensorfolding
