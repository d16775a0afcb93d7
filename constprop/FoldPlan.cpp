//===- FoldPlan.cpp - Which constants the model will hold -----------------===//

#include "onnxfold/constprop/FoldPlan.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

FoldPlan::FoldPlan(const Evaluation &evaluation,
                   std::optional<int64_t> maxGrowth)
    : evaluation(evaluation) {
  evaluation.root()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == evaluation.root())
      return;
    for (Value operand : op->getOperands())
      ++readers[operand];
    if (evaluation.isFoldable(op))
      candidates.push_back(op);
  });
  for (Operation *op : candidates)
    setFolded(op, true);
  if (maxGrowth && currentGrowth > *maxGrowth)
    fitBudget(*maxGrowth);
  collectDead();
  collectFrontier();
}

/// Bytes of a constant in a file.
int64_t FoldPlan::bytesOf(Value value) const {
  const Elements &elements = evaluation.fact(value).value;
  if (elements.type() != DataType::String)
    return packedBytes(elements.type(), elements.size());
  int64_t total = 0;
  for (llvm::StringRef text : elements.values<llvm::StringRef>())
    total += text.size();
  return total;
}

/// Moves one operation into or out of the folded set and keeps the growth.
/// A constant counts while somebody reads it; so does a folded value.
void FoldPlan::setFolded(Operation *op, bool fold) {
  for (Value operand : op->getOperands()) {
    unsigned &count = readers[operand];
    Operation *def = operand.getDefiningOp();
    bool stored = def && (evaluation.isConstant(def) || folded.contains(def));
    if (fold && --count == 0 && stored)
      currentGrowth -= bytesOf(operand);
    if (!fold && ++count == 1 && stored)
      currentGrowth += bytesOf(operand);
  }
  for (Value result : op->getResults())
    if (readers.lookup(result) != 0)
      currentGrowth += fold ? bytesOf(result) : -bytesOf(result);
  if (fold)
    folded.insert(op);
  else
    folded.erase(op);
}

/// Bytes that must be stored so that the model can compute `op` itself.
int64_t FoldPlan::keepCost(Operation *op) {
  auto it = keepCosts.find(op);
  return it == keepCosts.end() ? 0 : it->second;
}

/// Leaves `op` in the graph, and of the operations above it those whose result
/// is larger than what they are computed from.
void FoldPlan::unfold(Operation *op) {
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!folded.contains(next))
      continue;
    setFolded(next, false);
    for (Value operand : next->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (folded.contains(def) && keepCost(def) < bytesOf(operand))
          worklist.push_back(def);
  }
}

void FoldPlan::fitBudget(int64_t maxGrowth) {
  limited = true;
  struct Candidate {
    Operation *op;
    int64_t gain;
  };
  std::vector<Candidate> order;
  for (Operation *op : candidates) {
    int64_t cost = 0, saved = 0;
    llvm::SmallPtrSet<void *, 4> seen;
    for (Value operand : op->getOperands()) {
      if (!seen.insert(operand.getAsOpaquePointer()).second ||
          readers.lookup(operand) != 0)
        continue;
      Operation *def = operand.getDefiningOp();
      if (!def || !evaluation.fact(operand).isConstant())
        continue;
      int64_t bytes = bytesOf(operand);
      cost += folded.contains(def) ? std::min(bytes, keepCost(def)) : bytes;
    }
    keepCosts[op] = cost;
    for (Value result : op->getResults())
      if (readers.lookup(result) != 0)
        saved += bytesOf(result);
    if (saved > cost)
      order.push_back({op, saved - cost});
  }
  llvm::stable_sort(order, [](const Candidate &a, const Candidate &b) {
    return a.gain > b.gain;
  });
  for (const Candidate &candidate : order) {
    if (currentGrowth <= maxGrowth)
      break;
    unfold(candidate.op);
  }
  // Unfolding the last one may have made room for smaller ones.
  for (Operation *op : candidates) {
    if (folded.contains(op))
      continue;
    setFolded(op, true);
    if (currentGrowth > maxGrowth)
      setFolded(op, false);
  }
}

/// Operations that only folded operations read.
void FoldPlan::collectDead() {
  std::vector<Operation *> all;
  evaluation.root()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != evaluation.root())
      all.push_back(op);
  });
  for (Operation *op : llvm::reverse(all)) {
    if (folded.contains(op) || op->getNumResults() == 0 ||
        op->getNumRegions() != 0)
      continue;
    bool wasRead = llvm::any_of(op->getResults(),
                                [](Value v) { return !v.use_empty(); });
    bool isRead = llvm::any_of(op->getResults(), [&](Value v) {
      return readers.lookup(v) != 0;
    });
    if (!wasRead || isRead)
      continue;
    auto *dialect =
        op->getDialect()
            ? op->getDialect()->getRegisteredInterface<FoldingInterface>()
            : nullptr;
    if (!evaluation.isConstant(op) &&
        !(dialect && dialect->isRemovable(op) && evaluation.mayChange(op)))
      continue;
    removed.insert(op);
    for (Value operand : op->getOperands())
      --readers[operand];
  }
}

void FoldPlan::collectFrontier() {
  for (Operation *op : candidates)
    if (folded.contains(op))
      for (Value result : op->getResults())
        if (readers.lookup(result) != 0)
          frontierValues.push_back(result);
}

FoldPlan::Action FoldPlan::action(Operation *op) const {
  if (folded.contains(op))
    return Action::Folded;
  return removed.contains(op) ? Action::Removed : Action::Kept;
}

const Reason &FoldPlan::reason(Operation *op) const {
  static const Reason growth = {
      ReasonCode::Growth, "the model would grow beyond the limit on growth"};
  static const Reason constant = {ReasonCode::Constant,
                                  "states a constant that is read"};
  static const Reason none;
  if (action(op) != Action::Kept)
    return none;
  if (evaluation.isConstant(op))
    return constant;
  return evaluation.isFoldable(op) ? growth : evaluation.reason(op);
}

/// A function returns what its terminator does: constants may have a more
/// precise type than the value that they replace.
static void refreshResultTypes(Operation *root) {
  root->walk([](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    Operation &last = function.getFunctionBody().back().back();
    if (last.hasTrait<OpTrait::ReturnLike>())
      function.setType(function.cloneTypeWith(function.getArgumentTypes(),
                                              last.getOperandTypes()));
  });
}

void FoldPlan::apply() {
  for (Value value : frontierValues) {
    Operation *op = value.getDefiningOp();
    OpBuilder builder(op);
    auto *dialect =
        op->getDialect()->getRegisteredInterface<FoldingInterface>();
    Value constant = dialect->materialize(
        builder, op, cast<OpResult>(value).getResultNumber(),
        evaluation.fact(value).value);
    value.replaceUsesWithIf(constant, [&](OpOperand &use) {
      return !folded.contains(use.getOwner()) &&
             !removed.contains(use.getOwner());
    });
  }
  std::vector<Operation *> dead;
  evaluation.root()->walk([&](Operation *op) {
    if (folded.contains(op) || removed.contains(op))
      dead.push_back(op);
  });
  for (Operation *op : dead)
    op->dropAllUses();
  for (Operation *op : dead)
    op->erase();
  refreshResultTypes(evaluation.root());
}
