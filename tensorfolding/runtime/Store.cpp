//===- Store.cpp - The folded values of a process -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/internal/Store.h"

#include <algorithm>
#include <cstdlib>

namespace onnxfold::tensorfolding {
using namespace internal;

void setFoldedMemoryBudget(uint64_t bytes) {
  Garbage garbage;
  std::lock_guard lock(Store::get().mutex);
  Store::get().setBudget(bytes, garbage);
}

FoldedMemoryStatistics foldedMemory() {
  std::lock_guard lock(Store::get().mutex);
  return Store::get().statistics();
}

void setFoldedMemoryAllocator(FoldedMemoryAllocator allocator) {
  std::lock_guard lock(Store::get().mutex);
  Store::get().setAllocator(allocator);
}

namespace internal {

FoldedBlock::~FoldedBlock() {
  if (memory && place.arena)
    place.arena->giveBack(place.offset, bytes);
  else if (memory)
    Store::get().allocator().free(memory);
  for (void *allocation : allocations)
    std::free(allocation);
}

PartState::~PartState() {
  Garbage garbage;
  std::lock_guard lock(Store::get().mutex);
  Store::get().take(*this, garbage);
}

Store &Store::get() {
  // Never destroyed: programs may live in other static objects.
  static Store &store = *new Store();
  return store;
}

void Store::setBudget(uint64_t bytes, Garbage &garbage) {
  budget = bytes;
  makeRoom(0, garbage);
}

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

void Store::add(FoldedBlock &block, bool share) {
  block.sequence = nextSequence++;
  block.lastUse = tick();
  all.emplace(block.sequence, &block);
  resident += block.bytes;
  overBudget = resident > budget;
  block.isIndexed = share;
  if (share)
    shareable.emplace(std::pair(block.part, block.sample), &block);
}

void Store::unindex(FoldedBlock &block, Garbage &garbage) {
  if (!block.isIndexed)
    return;
  auto [first, last] =
      shareable.equal_range(std::pair(block.part, block.sample));
  shareable.erase(std::find_if(
      first, last, [&](const auto &entry) { return entry.second == &block; }));
  block.isIndexed = false;
  dropInputs(block, garbage);
}

void Store::dropInputs(FoldedBlock &block, Garbage &garbage) {
  for (std::shared_ptr<const Weight> &input : block.inputs)
    garbage.weights.push_back(std::move(input));
  block.inputs.clear();
}

void Store::release(FoldedBlock &block, Garbage &garbage) {
  if (--block.owners != 0)
    return;
  unindex(block, garbage);
  all.erase(block.sequence);
  resident -= block.bytes;
  overBudget = resident > budget;
  garbage.blocks.emplace_back(&block);
}

void Store::give(FoldedBlock &block, PartState &part) {
  retain(block);
  block.parts.push_back(&part);
  part.block = &block;
}

void Store::take(PartState &part, Garbage &garbage) {
  FoldedBlock *block = std::exchange(part.block, nullptr);
  if (!block)
    return;
  std::erase(block->parts, &part);
  // The part's weights may be released now, and without them nothing can be
  // compared.
  if (!block->inputsHash)
    unindex(*block, garbage);
  release(*block, garbage);
}

std::vector<FoldedBlock *> Store::candidates(const ContentHash &part,
                                             uint64_t sample) const {
  std::vector<FoldedBlock *> found;
  auto [first, last] = shareable.equal_range(std::pair(part, sample));
  for (; first != last; ++first)
    found.push_back(first->second);
  return found;
}

//===----------------------------------------------------------------------===//
// Eviction
//===----------------------------------------------------------------------===//

static bool isInUse(const FoldedBlock &block) {
  return block.holds > 0 ||
         std::any_of(
             block.snapshots.begin(), block.snapshots.end(),
             [](const Snapshot *snapshot) { return snapshot->isPinned(); });
}

static uint64_t lastUseOf(const FoldedBlock &block) {
  uint64_t last = block.lastUse;
  for (const Snapshot *snapshot : block.snapshots)
    last = std::max(last, snapshot->lastUse.load(std::memory_order_relaxed));
  return last;
}

void Store::makeRoom(uint64_t bytes, Garbage &garbage) {
  uint64_t limit = budget.load();
  auto isEnough = [&] { return bytes <= limit && resident <= limit - bytes; };
  if (isEnough()) {
    overBudget = false;
    return;
  }
  std::vector<std::pair<uint64_t, FoldedBlock *>> unused; // oldest fold first
  for (auto [sequence, block] : all)
    if (!isInUse(*block))
      unused.emplace_back(lastUseOf(*block), block);
  std::stable_sort(
      unused.begin(), unused.end(),
      [](const auto &a, const auto &b) { return a.first < b.first; });
  for (auto [lastUse, block] : unused) {
    if (isEnough())
      break;
    evict(*block, garbage);
  }
  overBudget = resident > limit;
}

void Store::evict(FoldedBlock &block, Garbage &garbage) {
  retain(block); // while its lists change
  while (!block.parts.empty()) {
    ++*block.parts.back()->evictions;
    take(*block.parts.back(), garbage);
  }
  for (Snapshot *snapshot : std::vector(block.snapshots))
    retire(*snapshot, garbage);
  release(block, garbage);
}

void Store::retire(Snapshot &snapshot, Garbage &garbage) {
  if (!snapshot.home)
    return; // retired before: one that has a block twice is listed twice
  if (snapshot.published)
    snapshot.published->store(nullptr);
  *snapshot.home = nullptr;
  snapshot.published = nullptr;
  snapshot.home = nullptr;
  snapshot.retired = true;
  reclaim(snapshot, garbage);
}

void Store::reclaim(Snapshot &snapshot, Garbage &garbage) {
  // Another thread may have emptied it, or another set may have it by now.
  if (!snapshot.retired || snapshot.isPinned())
    return;
  snapshot.retired = false;
  for (FoldedBlock *block : snapshot.blocks) {
    block->lastUse = std::max(block->lastUse, snapshot.lastUse.load());
    block->snapshots.erase(
        std::find(block->snapshots.begin(), block->snapshots.end(), &snapshot));
    release(*block, garbage);
  }
  snapshot.blocks.clear();
  for (std::shared_ptr<const Weight> &weight : snapshot.weights)
    garbage.weights.push_back(std::move(weight));
  snapshot.weights.clear();
  snapshot.unused->push_back(&snapshot);
}

} // namespace internal
} // namespace onnxfold::tensorfolding
