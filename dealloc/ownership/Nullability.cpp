//===- Nullability.cpp - Ownership that is never or always null -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Nullability.h"

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ir/internal/Flow.h"
#include "onnxfold/dealloc/ir/internal/Views.h"

using namespace mlir;
using namespace onnxfold::deallocation;

static bool isOwnership(Value value) {
  return isa<OwnershipType>(value.getType());
}

NullabilityAnalysis::NullabilityAnalysis(Operation *function) {
  auto addFlow = [this](Value input, Value operand) {
    if (isOwnership(input) || isMemRef(input))
      flows[input].push_back(operand);
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    forEachFlow(op, addFlow);
    addGroup(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        if (!block.isEntryBlock())
          forEachFlow(&block, addFlow);
        addGroup(block.getArguments());
      }
  });
  propagate();
  pairUp();
}

ArrayRef<Value> NullabilityAnalysis::flowingInto(Value slot) const {
  auto found = flows.find(slot);
  return found == flows.end() ? ArrayRef<Value>() : found->second;
}

/// All pairs of a wide group cost too much; then only the position counts.
static constexpr unsigned widestGroup = 32;

/// Arguments of one block, or results of one operation.
void NullabilityAnalysis::addGroup(ValueRange values) {
  SmallVector<Value> memrefs, owners;
  for (Value value : values) {
    if (isOwnership(value))
      owners.push_back(value);
    else if (isMemRef(value))
      memrefs.push_back(value);
  }
  if (owners.empty())
    return;
  Operation *op = owners.front().getDefiningOp();
  if (op && isa_and_nonnull<DeallocationDialect>(op->getDialect()))
    return; // get() knows them
  llvm::append_range(slots, owners);
  for (auto [index, owner] : llvm::enumerate(owners)) {
    if (memrefs.size() <= widestGroup)
      partners[owner].append(memrefs.begin(), memrefs.end());
    else if (memrefs.size() == owners.size())
      partners[owner].push_back(memrefs[index]);
  }
}

//===----------------------------------------------------------------------===//
// Null or not
//===----------------------------------------------------------------------===//

static Nullability join(Nullability a, Nullability b) {
  if (a == Nullability::Undefined || a == b)
    return b;
  return b == Nullability::Undefined ? a : Nullability::Sometimes;
}

Nullability NullabilityAnalysis::get(Value ownership) const {
  Operation *op = ownership.getDefiningOp();
  if (isa_and_nonnull<NullOp>(op))
    return Nullability::Always;
  if (isa_and_nonnull<OwnOp>(op))
    return Nullability::Never;
  if (auto retain = dyn_cast_or_null<RetainOp>(op))
    return ofRetained(retain);
  auto found = states.find(ownership);
  return found == states.end() ? Nullability::Sometimes : found->second;
}

/// Null unless one of the allocations is a match. Monotone in what is known of
/// them: else the states of a cycle take turns for ever.
Nullability NullabilityAnalysis::ofRetained(RetainOp retain) const {
  auto result = Nullability::Always;
  for (Value allocation : retain.getAllocations())
    switch (get(allocation)) {
    case Nullability::Undefined:
      result = Nullability::Undefined;
      break;
    case Nullability::Never:
    case Nullability::Sometimes:
      return Nullability::Sometimes;
    case Nullability::Always:
      break;
    }
  return result;
}

void NullabilityAnalysis::propagate() {
  for (Value slot : slots)
    if (!flowingInto(slot).empty())
      states[slot] = Nullability::Undefined;
  bool changed = true;
  while (changed) {
    changed = false;
    for (Value slot : slots) {
      auto found = states.find(slot);
      if (found == states.end())
        continue;
      Nullability state = Nullability::Undefined;
      for (Value operand : flowingInto(slot))
        state = join(state, get(operand));
      changed |= state != found->second;
      found->second = state;
    }
  }
}

//===----------------------------------------------------------------------===//
// Which memref
//===----------------------------------------------------------------------===//

/// Begins with all memrefs beside a slot: loops may pass both around.
void NullabilityAnalysis::pairUp() {
  for (Value slot : slots) // of a function: nothing is known
    if (flowingInto(slot).empty())
      partners[slot].clear();
  bool changed = true;
  while (changed) {
    changed = false;
    for (Value slot : slots) {
      ArrayRef<Value> owners = flowingInto(slot);
      size_t before = partners[slot].size();
      llvm::erase_if(partners[slot], [&](Value memref) {
        ArrayRef<Value> memrefs = flowingInto(memref);
        if (memrefs.size() != owners.size())
          return true;
        for (auto [value, owner] : llvm::zip_equal(memrefs, owners))
          if (!isPaired(value, owner))
            return true;
        return false;
      });
      changed |= partners[slot].size() != before;
    }
  }
}

bool NullabilityAnalysis::isPaired(Value memref, Value ownership) const {
  memref = viewSource(memref);
  if (ownership.getDefiningOp<NullOp>())
    return true;
  if (auto own = ownership.getDefiningOp<OwnOp>())
    return viewSource(own.getMemref()) == memref;
  if (auto retain = ownership.getDefiningOp<RetainOp>()) {
    unsigned index = cast<OpResult>(ownership).getResultNumber();
    return viewSource(retain.getRetained()[index]) == memref;
  }
  auto found = partners.find(ownership);
  return found != partners.end() && llvm::is_contained(found->second, memref);
}

Value NullabilityAnalysis::memrefOf(Value ownership) const {
  if (auto own = ownership.getDefiningOp<OwnOp>())
    return viewSource(own.getMemref());
  auto found = partners.find(ownership);
  return found == partners.end() || found->second.empty()
             ? Value()
             : found->second.front();
}
