//===- FunctionInstances.cpp - A function as its calls see it -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/internal/FunctionInstances.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Functions that call functions are as large as their inlined bodies, which
/// may grow exponentially. More than any model has, and seconds.
static constexpr size_t mostCopied = 1 << 18, mostCopiedDepth = 100;

FunctionInstances::FunctionInstances(const CallGraph &graph,
                                     const Evaluation &evaluation,
                                     CallTypes &types)
    : graph(graph), evaluation(evaluation), types(types) {
  if (graph.calleesFirst().empty())
    return;
  WalkResult walk = graph.mainGraph()->walk([&](Operation *op) {
    if (!graph.isReached(op))
      return WalkResult::advance();
    fromMain[op] = instanceOf(op, op, nullptr, evaluation);
    return fromMain[op] ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    instances.clear();
}

/// It was given up because of what it takes, and so would parts of it be, one
/// after the other.
static bool takesTooMuch(Operation *call, const Evaluation &evaluation) {
  return evaluation.reason(call).code == ReasonCode::WorkLimit;
}

const FunctionInstances::List &
FunctionInstances::of(const CallGraph::Function *function) const {
  static const List none;
  auto list = instances.find(function);
  return list == instances.end() ? none : list->second;
}

/// Values that are the same in all instances have none.
FunctionInstances::Instance::Source
FunctionInstances::sourceOf(Value value, const Instance *outer) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (outer && argument && graph.find(argument.getOwner()->getParentOp()) &&
      argument.getArgNumber() < outer->arguments.size())
    return outer->arguments[argument.getArgNumber()];
  return {evaluation.state(value).isConstant() ? nullptr : outer, value};
}

/// The operands of a call as a list of numbers: equal lists, equal bodies.
FunctionInstances::Key FunctionInstances::keyOf(Operation *call,
                                                Operation *asked,
                                                const Instance *outer,
                                                const Evaluation &knowledge) {
  Key key = {asked->getDiscardableAttrDictionary().getAsOpaquePointer()};
  for (auto [given, value] :
       llvm::zip_equal(call->getOperands(), asked->getOperands())) {
    const ValueState &state = knowledge.state(value);
    if (state.isConstant()) {
      auto [instance, source] = sourceOf(given, outer);
      key.insert(key.end(), {instance, source.getAsOpaquePointer()});
      continue;
    }
    std::vector<int64_t> shape = {int64_t(state.type), bool(state.shape)};
    if (state.shape)
      for (DimExpr d : *state.shape)
        shape.push_back(knowledge.exprs().valueOf(d).value_or(-1));
    auto &unique = shapes[shape];
    if (!unique)
      unique = std::make_unique<int>();
    key.insert(key.end(), {nullptr, unique.get()});
  }
  return key;
}

/// Null where there are too many. `asked` is the call, or a copy of it of which
/// `knowledge` knows.
const FunctionInstances::Instance *
FunctionInstances::instanceOf(Operation *call, Operation *asked,
                              const Instance *outer,
                              const Evaluation &knowledge) {
  const CallGraph::Function *function = graph.calledBy(call);
  auto [known, isNew] = byKey.try_emplace(
      {function, keyOf(call, asked, outer, knowledge)}, nullptr);
  if (!isNew)
    return known->second;
  if (++depth > mostCopiedDepth || visited > mostCopied ||
      takesTooMuch(asked, knowledge))
    return nullptr;
  auto instance = std::make_unique<Instance>();
  for (Value given : call->getOperands())
    instance->arguments.push_back(sourceOf(given, outer));
  if (!evaluate(function, *instance, asked, knowledge))
    return nullptr;
  --depth;
  known->second = instance.get();
  instances[function].push_back(std::move(instance));
  return known->second;
}

/// A state of one table in terms of another: dimensions that are not known are
/// any.
static ValueState translate(const ValueState &state, const DimExprs &from,
                            DimExprs &to) {
  ValueState result;
  result.type = state.type;
  if (state.isConstant())
    result.value = state.value;
  if (!state.shape)
    return result;
  result.shape.emplace();
  for (DimExpr d : *state.shape) {
    std::optional<int64_t> size = from.valueOf(d);
    result.shape->push_back(size ? to.constant(*size) : to.freshDimension());
  }
  return result;
}

bool FunctionInstances::evaluate(const CallGraph::Function *function,
                                 Instance &instance, Operation *asked,
                                 const Evaluation &knowledge) {
  IRMapping copies;
  OwningOpRef<Operation *> copy = copyForCall(function->op, asked, copies);
  EvaluationOptions options = evaluation.evaluationOptions();
  options.functions = evaluation.functions();
  auto usual = options.stateOfArgument;
  options.stateOfArgument = [&](BlockArgument argument, DimExprs &exprs) {
    bool isOuter = argument.getOwner()->getParentOp() == *copy;
    unsigned i = argument.getArgNumber();
    if (!isOuter && usual)
      return usual(argument, exprs);
    // A body may read what is left out as it likes; here nobody knows.
    if (!isOuter || i >= asked->getNumOperands() ||
        isAbsent(asked->getOperand(i)))
      return stateOfType(argument.getType(), exprs);
    return translate(knowledge.state(asked->getOperand(i)), knowledge.exprs(),
                     exprs);
  };
  Evaluation found(*copy, options);
  found.run(nullptr, [&](Operation *op) { types.infer(op, found); });
  return note(function->op, copies, found, instance);
}

/// False if there would be too many instances.
bool FunctionInstances::note(Operation *function, const IRMapping &copies,
                             const Evaluation &found, Instance &instance) {
  WalkResult walk = function->walk([&](Operation *op) {
    ++visited;
    // Custom ones may be erased: Constants that state an attribute.
    Operator node = Operator::from(op);
    if (!node || (node.isCustom() && !graph.isReached(op)))
      return WalkResult::advance();
    Operation *copied = copies.lookup(op);
    if (graph.isReached(op)) {
      instance.calls[op] = instanceOf(op, copied, &instance, found);
      if (!instance.calls[op])
        return WalkResult::interrupt();
    }
    if (!found.isFoldable(copied))
      return WalkResult::advance();
    for (auto [value, result] :
         llvm::zip_equal(op->getResults(), copied->getResults()))
      if (const ValueState &state = found.state(result); state.isConstant())
        instance.known[value] = state.value;
    return WalkResult::advance();
  });
  return !walk.wasInterrupted();
}
