//===- Received.cpp - Which arguments come with an owner ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ownership/internal/Received.h"

#include "onnxfold/dealloc/ir/internal/Views.h"
#include "onnxfold/dealloc/ownership/internal/Preconditions.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

Received::Received(func::FuncOp function, Aliases &aliases) : aliases(aliases) {
  auto add = [this](const FlowEdge &edge) { addEdge(edge); };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (passingOf(op) != Passing::None)
      forEachEdge(op, add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.isEntryBlock())
          forEachEdge(&block, add);
  });
}

void Received::addEdge(const FlowEdge &edge) {
  Group group;
  Edge &added = group.edges.emplace_back(
      Edge{edge.from, edge.successor, /*operands=*/{}});
  for (auto [input, operand] : edge.values) {
    if (!isMemRef(input))
      continue;
    group.slots.push_back(input);
    added.operands.push_back(operand);
  }
  if (group.slots.empty())
    return;
  auto found = groupOf.find(group.slots.front());
  if (found != groupOf.end()) {
    groups[found->second].edges.push_back(std::move(added));
    return;
  }
  for (Value slot : group.slots)
    groupOf[slot] = groups.size();
  groups.push_back(std::move(group));
}

bool Received::mayOwn(Value slot, Value other) const {
  return aliases.share(slot, other) && !impossible.contains({slot, other});
}

/// The owners that are passed with the slots on an edge.
static ArrayRef<OwnerId> passedOn(const Plan &plan, Operation *from,
                                  unsigned successor) {
  if (from->getNumSuccessors() != 0) {
    auto found = plan.edges.find({from, successor});
    return found == plan.edges.end() ? ArrayRef<OwnerId>()
                                     : found->second.passed;
  }
  auto found = plan.operations.find(from);
  return found == plan.operations.end() ? ArrayRef<OwnerId>()
                                        : found->second.handOver.passed;
}

/// The owners that may not be null: all but those that only come from null.
llvm::BitVector Received::findFull(const Plan &plan) const {
  std::vector<SmallVector<OwnerId, 2>> flowsTo(plan.owners.size());
  llvm::BitVector full(plan.owners.size(), true);
  auto addRetains = [&](const HandOver &handOver) {
    for (const RetainPlan &retain : handOver.retains)
      for (OwnerId result : retain.results) {
        full.reset(result);
        for (OwnerId owner : retain.owners)
          flowsTo[owner].push_back(result);
      }
  };
  for (auto &[op, planned] : plan.operations)
    addRetains(planned.handOver);
  for (auto &[edge, handOver] : plan.edges)
    addRetains(handOver);
  for (const Group &group : groups) {
    for (auto [index, slot] : llvm::enumerate(group.slots)) {
      auto found = plan.ownerOf.find(slot);
      if (found == plan.ownerOf.end())
        continue;
      full.reset(found->second);
      for (const Edge &edge : group.edges) {
        ArrayRef<OwnerId> passed = passedOn(plan, edge.from, edge.successor);
        if (index < passed.size() && passed[index] != nobody)
          flowsTo[passed[index]].push_back(found->second);
      }
    }
  }
  SmallVector<OwnerId> work(full.set_bits());
  while (!work.empty())
    for (OwnerId next : flowsTo[work.pop_back_val()])
      if (!full.test(next)) {
        full.set(next);
        work.push_back(next);
      }
  return full;
}

bool Received::narrow(const Plan &plan) {
  for (const Group &group : groups)
    for (Value slot : group.slots)
      for (Value other : group.slots)
        if (slot != other && aliases.share(slot, other))
          impossible.insert({slot, other});
  if (!impossible.empty())
    widen(plan);
  return !impossible.empty();
}

/// Whether `owner`, which is passed with one operand of the edge, may own what
/// another operand is a view of.
bool Received::mayOwn(const Plan &plan, OwnerId owner, Value operand,
                      Value other) const {
  Value slot = viewSource(operand), beside = viewSource(other);
  auto found = plan.ownerOf.find(slot);
  bool isItsOwn = found != plan.ownerOf.end() && found->second == owner;
  auto group = groupOf.find(slot), otherGroup = groupOf.find(beside);
  if (isItsOwn && slot != beside && group != groupOf.end() &&
      otherGroup != groupOf.end() && group->second == otherGroup->second)
    return mayOwn(slot, beside);
  return aliases.mayShare(operand, other);
}

bool Received::widen(const Group &group, const Edge &edge, const Plan &plan,
                     const llvm::BitVector &full) {
  size_t before = impossible.size();
  ArrayRef<OwnerId> passed = passedOn(plan, edge.from, edge.successor);
  for (auto [index, owner] : llvm::enumerate(passed)) {
    if (owner == nobody || !full.test(owner))
      continue;
    for (unsigned other = 0; other < group.slots.size(); ++other) {
      auto found = impossible.find({group.slots[index], group.slots[other]});
      if (found != impossible.end() &&
          mayOwn(plan, owner, edge.operands[index], edge.operands[other]))
        impossible.erase(found);
    }
  }
  return impossible.size() != before;
}

bool Received::widen(const Plan &plan) {
  size_t before = impossible.size();
  llvm::BitVector full = findFull(plan);
  // A possibility in one group may make one in the groups behind it.
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Group &group : groups)
      for (const Edge &edge : group.edges)
        changed |= widen(group, edge, plan, full);
  }
  return impossible.size() != before;
}
