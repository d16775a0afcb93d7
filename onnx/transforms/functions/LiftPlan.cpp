//===- LiftPlan.cpp - Which constants functions get from calls ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/internal/LiftPlan.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace onnxfold;
using namespace mlir;

/// Smaller constants stand in bodies: there they cost less than an input and
/// an initializer, and copies of them cost nothing.
static constexpr int64_t smallBytes = 1024;

int64_t LiftPlan::bytesOf(const Elements &value) {
  if (value.type() != DataType::String)
    return packedBytes(value.type(), value.size());
  int64_t bytes = 0;
  for (llvm::StringRef text : value.values<llvm::StringRef>())
    bytes += text.size();
  return bytes;
}

LiftPlan::LiftPlan(const CallGraph &graph, const FunctionInstances &instances,
                   const Evaluation &evaluation, IsErased isErased,
                   const GainedInputs &gained, bool dropsIdle)
    : graph(graph), instances(instances), evaluation(evaluation),
      isErased(isErased), gained(gained), dropsIdle(dropsIdle) {
  for (const CallGraph::Function *function : graph.calleesFirst())
    findDead(function->op);
  findDead(graph.mainGraph());
}

const LiftPlan::Function *
LiftPlan::of(const CallGraph::Function *function) const {
  auto plan = plans.find(function);
  return plan == plans.end() ? nullptr : plan->second.get();
}

//===----------------------------------------------------------------------===//
// Of one function
//===----------------------------------------------------------------------===//

/// Notes what replaced operations alone read, from the bottom up.
void LiftPlan::findDead(Operation *function) {
  function->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    const FoldingInterface *dialect = FoldingInterface::of(op);
    bool isRead = llvm::any_of(op->getUsers(), [&](Operation *reader) {
      return !dead.contains(reader);
    });
    if (isErased(op) ||
        (!isRead && !op->use_empty() && op->getNumRegions() == 0 &&
         Operator::from(op) && evaluation.mayChange(op) && dialect &&
         dialect->isRemovable(op, evaluation.functions())))
      dead.insert(op);
  });
}

/// The function's inputs can be others: all that call it can be changed.
bool LiftPlan::mayChange(const CallGraph::Function *function) const {
  Region &region = function->op->getRegion(0);
  return region.hasOneBlock() && (dropsIdle || !function->hasIdleCalls) &&
         !instances.of(function).empty() &&
         llvm::all_of(function->calls, [&](Operation *call) {
           return evaluation.mayChange(call) &&
                  call->getNumOperands() <= region.getNumArguments();
         });
}

bool LiftPlan::isKnownInAll(const FunctionInstances::List &list,
                            Operation *op) const {
  return llvm::all_of(op->getResults(), [&](Value result) {
    return result.use_empty() || llvm::all_of(list, [&](const auto &instance) {
             return instance->known.contains(result);
           });
  });
}

void LiftPlan::findKnown(Function &plan) {
  const FunctionInstances::List &list = instances.of(plan.function);
  plan.known.clear();
  plan.function->op->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (dead.contains(op))
      return WalkResult::skip();
    Operator node = Operator::from(op);
    const FoldingInterface *dialect = FoldingInterface::of(op);
    if (!node || (node.isCustom() && !graph.isReached(op)) || op->use_empty() ||
        excluded.contains(op) || returned.contains(op) || !dialect ||
        !dialect->isRemovable(op, evaluation.functions()) ||
        !evaluation.mayChange(op) || !isKnownInAll(list, op))
      return WalkResult::advance();
    plan.known.insert(op);
    return WalkResult::skip(); // what is in its bodies is erased with it
  });
}

LiftPlan::Instance::Source LiftPlan::leafAt(const Instance &instance,
                                            const Item &item) const {
  const Instance *at = &instance;
  const Item *inner = &item;
  while (inner->call) {
    at = at->calls.lookup(inner->call);
    inner = &of(graph.calledBy(inner->call))->inputs[inner->index];
  }
  return {at, inner->value};
}

LiftPlan::Instance::Source LiftPlan::sourceAt(const Instance &instance,
                                              const Item &item) const {
  Instance::Source leaf = leafAt(instance, item);
  auto first = firsts.find(leaf);
  return first == firsts.end() ? leaf : first->second;
}

Elements LiftPlan::valueAt(const Instance &instance, const Item &item) const {
  Instance::Source source = sourceAt(instance, item);
  Elements read = moved.lookup(source);
  return read ? read : source.first->known.lookup(source.second);
}

/// Instances differ in more than what one value depends on.
void LiftPlan::findEqual(const Function &plan) {
  std::vector<Instance::Source> sources;
  std::vector<Elements> values;
  for (const Item &item : plan.inputs)
    for (const auto &instance : instances.of(plan.function))
      if (Instance::Source source = {instance.get(), item.value};
          item.value && !firsts.contains(source)) {
        sources.push_back(source);
        values.push_back(valueAt(*instance, item));
      }
  ops::EqualValues equal(values);
  for (size_t i = 0; i < sources.size(); ++i) {
    firsts[sources[i]] = sources[equal.firstOf(i)];
    if (Elements value = equal.movedValue(i))
      moved[sources[i]] = value;
  }
}

Elements LiftPlan::valueIn(const Function &plan, const Item &item) const {
  return valueAt(*instances.of(plan.function).front(), item);
}

bool LiftPlan::isSmall(const FunctionInstances::List &list,
                       const Item &item) const {
  return llvm::all_of(list, [&](const auto &instance) {
    return bytesOf(valueAt(*instance, item)) < smallBytes;
  });
}

bool LiftPlan::isSame(const FunctionInstances::List &list,
                      const Item &item) const {
  Elements first = valueAt(*list.front(), item);
  return llvm::all_of(llvm::drop_begin(list), [&](const auto &instance) {
    return valueAt(*instance, item).identicalTo(first);
  });
}

/// A Constant of any type can stand in the body.
static bool mayHoldConstants(Operation *function) {
  constexpr int64_t ofAllTypes = 9;
  return importedOpset(function, "").value_or(0) >= ofAllTypes;
}

/// False if the body cannot be given this: an argument must not be its result.
bool LiftPlan::take(Function &plan, const Item &item, bool isReturned) {
  const FunctionInstances::List &list = instances.of(plan.function);
  bool small = isSmall(list, item);
  // It folds in its place, whatever calls pass.
  Operation *def = item.value ? item.value.getDefiningOp() : nullptr;
  if (def && evaluation.isFoldable(def) &&
      (small || isReturned || plan.function->calls.size() < 2 ||
       def->getNumResults() != 1))
    return true;
  if ((small || (isReturned && list.size() == 1)) && isSame(list, item) &&
      mayHoldConstants(plan.function->op)) {
    plan.constants.push_back(item);
    return true;
  }
  if (isReturned)
    return false;
  plan.inputs.push_back(item);
  return true;
}

/// A value that is the same in all instances is one input, of calls too: there
/// would be as many as ways that lead to the innermost function.
void LiftPlan::shareItems(Function &plan, ArrayRef<Item> calls) {
  std::map<std::vector<const void *>, Alias> taken;
  auto isTaken = [&](const Item &item) -> Alias * {
    std::vector<const void *> sources;
    for (const auto &instance : instances.of(plan.function)) {
      auto [at, value] = sourceAt(*instance, item);
      sources.insert(sources.end(), {at, value.getAsOpaquePointer()});
    }
    auto [known, isNew] = taken.try_emplace(std::move(sources));
    if (isNew)
      return &known->second; // to be filled
    plan.aliases.push_back(known->second);
    plan.aliases.back().item = item;
    return nullptr;
  };
  for (const Item &item : std::exchange(plan.inputs, {}))
    if (Alias *known = isTaken(item)) {
      *known = {item, /*isConstant=*/false, unsigned(plan.inputs.size())};
      plan.inputs.push_back(item);
    }
  for (const Item &item : calls)
    if (Alias *known = isTaken(item)) {
      unsigned numInputs = plan.inputs.size();
      take(plan, item, /*isReturned=*/false);
      bool isConstant = plan.inputs.size() == numInputs;
      *known = {
          item, isConstant,
          unsigned((isConstant ? plan.constants : plan.inputs).size() - 1)};
    }
}

/// The results of erased operations that kept operations read. False if some of
/// them cannot be passed: they are noted, and kept.
bool LiftPlan::findItems(Function &plan) {
  llvm::SetVector<Value> read;
  llvm::DenseSet<Value> given;
  SmallVector<Item> calls;
  auto addCall = [&](Operation *op) {
    const Function *called = of(graph.calledBy(op));
    if (!called || !graph.isReached(op))
      return;
    for (unsigned i = 0; i < called->inputs.size(); ++i)
      calls.push_back({Value(), op, i});
  };
  plan.function->op->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isKnown = plan.known.contains(op);
    bool folds = isKnown && evaluation.isFoldable(op);
    if (dead.contains(op) || (isKnown && !folds))
      return WalkResult::skip();
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *def = operand.get().getDefiningOp();
      // An operation that folds in its place needs no operand that does not.
      if (!def || !plan.known.contains(def) || isDropped(operand) ||
          (folds && evaluation.isFoldable(def)))
        continue;
      read.insert(operand.get());
      if (op->hasTrait<OpTrait::IsTerminator>())
        given.insert(operand.get());
    }
    if (!folds) {
      addCall(op);
      return WalkResult::advance();
    }
    op->walk(addCall); // kept if the budget refuses its value
    return WalkResult::skip();
  });
  plan.inputs.clear();
  plan.constants.clear();
  plan.aliases.clear();
  bool allTaken = true;
  for (Value value : read)
    if (!take(plan, {value}, given.contains(value))) {
      returned.insert(value.getDefiningOp());
      allTaken = false;
    }
  if (!allTaken)
    return false;
  findEqual(plan);
  shareItems(plan, calls);
  return true;
}

/// This plan erases the operation.
bool LiftPlan::isLifted(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (lifted.contains(op))
      return true;
  return false;
}

/// The call will not pass it.
bool LiftPlan::isDropped(OpOperand &use) const {
  const Function *called = of(graph.calledBy(use.getOwner()));
  return called && graph.isReached(use.getOwner()) &&
         llvm::is_contained(called->unread, use.getOperandNumber());
}

/// A device configuration of a call is about the operand.
static bool isShardedByCall(const CallGraph::Function *function, unsigned i) {
  return llvm::any_of(function->calls, [&](Operation *call) {
    return i < call->getNumOperands() &&
           shards(Operator::from(call), call->getOperand(i));
  });
}

/// Arguments that only erased operations read, and those of earlier plans that
/// nothing reads after all. (Those that nothing read in the file may be there
/// for callers, or for the device configurations of these.)
void LiftPlan::findUnread(Function &plan) {
  for (BlockArgument argument :
       plan.function->op->getRegion(0).front().getArguments()) {
    auto names = gained.find(plan.function->op);
    bool isOurs =
        names != gained.end() && names->second.contains(valueName(argument));
    bool isUnread = llvm::all_of(argument.getUses(), [&](OpOperand &use) {
      return isLifted(use.getOwner()) || isDropped(use) ||
             dead.contains(use.getOwner());
    });
    if (isUnread && (isOurs || !argument.use_empty()) &&
        !isShardedByCall(plan.function, argument.getArgNumber()))
      plan.unread.push_back(argument.getArgNumber());
  }
}

void LiftPlan::planAll() {
  plans.clear();
  lifted.clear();
  for (const CallGraph::Function *function : graph.calleesFirst()) {
    if (!mayChange(function))
      continue;
    auto plan = std::make_unique<Function>();
    plan->function = function;
    do
      findKnown(*plan);
    while (!findItems(*plan));
    // Values that fold whatever calls pass need no lifting, unless all their
    // readers get an input instead.
    llvm::SmallVector<Operation *> erased;
    for (Operation *op : plan->known)
      if (!evaluation.isFoldable(op))
        erased.push_back(op);
    for (const Item &item : plan->inputs)
      if (item.value)
        erased.push_back(item.value.getDefiningOp());
    for (const Alias &alias : plan->aliases)
      if (alias.item.value)
        erased.push_back(alias.item.value.getDefiningOp());
    lifted.insert(erased.begin(), erased.end());
    findUnread(*plan);
    if (!plan->isEmpty())
      plans[function] = std::move(plan);
    else
      for (Operation *op : erased)
        lifted.erase(op);
  }
}

//===----------------------------------------------------------------------===//
// Of the model
//===----------------------------------------------------------------------===//

/// Its users are erased, or read something else. (Not for what folds: the plan
/// of that counts what dies with it.)
bool LiftPlan::isCut(OpOperand &use) const {
  Operation *reader = use.getOwner();
  return dead.contains(reader) || isLifted(reader) || isDropped(use);
}

void LiftPlan::collectGiven() {
  given.clear();
  bytesOfNew = 0;
  std::vector<Elements> values;
  graph.mainGraph()->walk([&](Operation *op) {
    const Function *called = of(graph.calledBy(op));
    if (!called || !graph.isReached(op))
      return;
    for (auto [i, item] : llvm::enumerate(called->inputs)) {
      given.push_back({op, unsigned(i), valueAt(*instances.at(op), item)});
      values.push_back(given.back().value);
    }
  });
  equalGiven = ops::EqualValues(values);
  for (auto [i, value] : llvm::enumerate(values)) {
    if (equalGiven.firstOf(i) == i)
      bytesOfNew += bytesOf(value);
    if (Elements moved = equalGiven.movedValue(i))
      given[i].value = moved;
  }
  for (const auto &[function, plan] : plans)
    for (const Item &item : plan->constants)
      bytesOfNew += bytesOf(valueIn(*plan, item));
}

/// Bytes of what becomes constant without those that nobody reads then.
int64_t LiftPlan::countGrowth() {
  llvm::SetVector<Value> candidates;
  for (const auto &[function, plan] : plans) {
    for (Operation *op : plan->known)
      if (isLifted(op))
        candidates.insert_range(op->getOperands());
    for (Operation *call : function->calls)
      for (unsigned i : plan->unread)
        if (i < call->getNumOperands())
          candidates.insert(call->getOperand(i));
  }
  int64_t growth = bytesOfNew;
  for (size_t i = 0; i < candidates.size(); ++i) {
    Operation *def = candidates[i].getDefiningOp();
    const ValueState &state = evaluation.state(candidates[i]);
    if (!def || !state.isConstant() ||
        !llvm::all_of(def->getUses(),
                      [&](OpOperand &use) { return isCut(use); }))
      continue;
    if (evaluation.isConstant(def))
      growth -= bytesOf(state.value);
    else // what it would be computed from dies in its place
      candidates.insert_range(def->getOperands());
  }
  return growth;
}

/// The operation of whose results most bytes are passed.
Operation *LiftPlan::largest() const {
  llvm::MapVector<Operation *, int64_t> bytes;
  auto add = [&](const Function &plan, const Item &item, int64_t size) {
    bytes[originOf(plan, item).getDefiningOp()] += size;
  };
  for (auto [i, one] : llvm::enumerate(given))
    if (const Function *called = of(graph.calledBy(one.call));
        equalGiven.firstOf(i) == i)
      add(*called, called->inputs[one.index], bytesOf(one.value));
  for (const CallGraph::Function *function : graph.calleesFirst())
    if (const Function *plan = of(function))
      for (const Item &item : plan->constants)
        add(*plan, item, bytesOf(valueIn(*plan, item)));
  auto most = llvm::max_element(
      bytes, [](const auto &a, const auto &b) { return a.second < b.second; });
  return most == bytes.end() ? nullptr : most->first;
}

void LiftPlan::run(std::optional<int64_t> budget) {
  // Each pass compares what is left; few models need one.
  constexpr unsigned mostRounds = 32;
  for (unsigned round = 0;; ++round) {
    planAll();
    collectGiven();
    if (plans.empty() || !budget || countGrowth() <= *budget)
      return;
    Operation *op = round < mostRounds ? largest() : nullptr;
    if (!op)
      break;
    excluded.insert(op);
  }
  plans.clear();
  given.clear();
  bytesOfNew = 0;
}
