//===- FoldPlanBudget.cpp - What folds if the model may not grow ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Leaves `op` in the graph, and of the operations above it those whose result
/// is larger than what they are computed from.
void FoldPlan::unfold(Operation *op, const Costs &keepCosts) {
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!folded.contains(next))
      continue;
    setFolded(next, false);
    for (Value operand : operandsOf(next)) {
      auto cost = keepCosts.find(operand.getDefiningOp());
      if (cost != keepCosts.end() && folded.contains(cost->first) &&
          cost->second < bytesOf(operand))
        worklist.push_back(cost->first);
    }
  }
}

/// For each of `choices`, the bytes that must be stored so that the model can
/// compute it itself.
FoldPlan::Costs FoldPlan::computeKeepCosts(ArrayRef<Operation *> choices) {
  Costs costs;
  for (Operation *op : choices) {
    int64_t cost = bytesInside(op);
    llvm::SmallPtrSet<void *, 4> seen;
    for (Value operand : operandsOf(op)) {
      if (!seen.insert(operand.getAsOpaquePointer()).second ||
          readers.lookup(operand) != 0)
        continue;
      Operation *def = operand.getDefiningOp();
      if (!def || !isStored(def) || !evaluation.state(operand).isConstant())
        continue;
      auto above = costs.find(def);
      int64_t bytes = bytesOf(operand);
      cost += above == costs.end() ? bytes : std::min(bytes, above->second);
    }
    costs[op] = cost;
  }
  return costs;
}

/// Unfolds those of `choices` that save most until the growth is within `most`,
/// or until all are: what was added before the plan may be more than that.
void FoldPlan::reduce(ArrayRef<Operation *> choices, int64_t most) {
  Costs keepCosts = computeKeepCosts(choices);
  std::vector<std::pair<int64_t, Operation *>> order;
  auto unfoldInOrder = [&] {
    llvm::stable_sort(
        order, [](const auto &a, const auto &b) { return a.first > b.first; });
    for (const auto &[gain, op] : order)
      if (currentGrowth > most)
        unfold(op, keepCosts);
    order.clear();
  };
  for (Operation *op : choices)
    if (int64_t gain = storedBytes(op) - keepCosts[op]; gain > 0)
      order.emplace_back(gain, op);
  unfoldInOrder();
  // Several that are computed from one constant save nothing each, but do
  // together.
  if (currentGrowth > most)
    for (Operation *op : choices)
      if (int64_t bytes = storedBytes(op); folded.contains(op) && bytes > 0)
        order.emplace_back(bytes, op);
  unfoldInOrder();
  if (currentGrowth > most)
    for (Operation *op : choices)
      if (folded.contains(op))
        setFolded(op, false);
  refold(choices, std::max(most, currentGrowth));
}

/// Bytes that die for certain if `op` reads its operands no more: constants
/// that only it reads, and what only it reads of operations that are kept, as
/// far as `freed` says what dies with those.
int64_t FoldPlan::freedBytes(Operation *op, const Costs &freed) const {
  llvm::SmallDenseMap<Value, unsigned> uses;
  for (Value operand : operandsOf(op))
    ++uses[operand];
  auto dies = [&](Value v) { return readers.lookup(v) == uses.lookup(v); };
  int64_t bytes = bytesInside(op);
  for (auto [value, count] : uses) {
    Operation *def = value.getDefiningOp();
    if (!def || !dies(value))
      continue;
    if (isStored(def)) {
      bytes += bytesOf(value);
      continue;
    }
    // Once for an operation of whose results several are read.
    auto first = llvm::find_if(def->getResults(), [&](Value result) {
      return readers.lookup(result) != 0;
    });
    auto above = freed.find(def);
    if (above != freed.end() && *first == value && mayEraseUnused(def) &&
        llvm::all_of(def->getResults(), dies))
      bytes += above->second;
  }
  return bytes;
}

/// The last one that was unfolded may have made room for smaller ones. Nothing
/// is tried and taken back here: along a chain that would be quadratic.
void FoldPlan::refold(ArrayRef<Operation *> choices, int64_t most) {
  Costs freed;
  for (Operation *op : choices) {
    if (folded.contains(op) || removed.contains(op))
      continue;
    int64_t bytes = freedBytes(op, freed);
    if (currentGrowth + storedBytes(op) - bytes <= most)
      setFolded(op, true);
    else
      freed[op] = bytes;
  }
}

/// The same procedure gets what is left again, with no more room than was used
/// (or than is needed, where that is more than there is), until it takes
/// nothing: so a run on the output, which finds just that situation, takes
/// nothing either.
void FoldPlan::fitBudget(int64_t maxGrowth) {
  std::vector<Operation *> choices = candidates;
  llvm::erase_if(choices, [&](Operation *op) { return isInDropped(op); });
  int64_t most = maxGrowth;
  while (true) {
    reduce(choices, most);
    size_t before = choices.size();
    llvm::erase_if(choices, [&](Operation *op) {
      return folded.contains(op) || removed.contains(op);
    });
    if (choices.empty() || (choices.size() == before && currentGrowth <= most))
      return;
    most = currentGrowth;
    for (Operation *op : choices)
      setFolded(op, true);
  }
}
