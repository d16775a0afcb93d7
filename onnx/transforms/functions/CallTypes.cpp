//===- CallTypes.cpp - Types and values of results of calls ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/CallTypes.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/functions/internal/CallOutcomes.h"
#include "onnxfold/onnx/transforms/functions/internal/JoinedOperands.h"
#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Calls in calls may grow exponentially. More than any model has, and seconds.
static constexpr size_t mostOperations = 1 << 18, mostDepth = 100;
/// Types that the model states are checked as long as there is enough left for
/// those that it does not state.
static constexpr size_t mostForStated = mostOperations / 2;
static constexpr uint64_t mostBytes = 1 << 16, mostWork = 1 << 24;

CallTypes::CallTypes(Operation *module, Erasure erasure)
    : erasure(std::move(erasure)),
      graph(module, [](Operation *) { return false; }),
      outcomes(std::make_unique<CallOutcomes>()),
      joined(std::make_unique<JoinedOperands>()) {}

CallTypes::~CallTypes() = default;

static bool isOpen(Operation *call, const Evaluation &evaluation) {
  return llvm::any_of(call->getResults(), [&](Value result) {
    const ValueState &state = evaluation.state(result);
    return !state.absent && (state.type == DataType::Undefined || !state.shape);
  });
}

/// The results that are read and may be constant although an argument is not
/// known. (Where all are, the engine has computed the call.)
CallTypes::Hope CallTypes::hopeOf(Operation *op, const Evaluation &evaluation) {
  Operator call = Operator::from(op);
  bool isDynamic = llvm::any_of(op->getOperands(), [&](Value operand) {
    const ValueState &state = evaluation.state(operand);
    return !state.absent && !state.known();
  });
  if (!isDynamic || call.hasReferences() || call.numGraphs() != 0 ||
      !evaluation.mayChange(op))
    return Hope::None;
  unsigned read = 0, open = 0;
  for (OpResult result : op->getResults()) {
    if (isAbsent(result) || result.use_empty())
      continue;
    ++read;
    open += results.mayBeKnown(op, result.getResultNumber(), evaluation);
  }
  return open == 0 ? Hope::None : open == read ? Hope::All : Hope::Some;
}

/// A copy of a function has no effects besides its results: all of it is
/// deterministic, may be erased, and is not known to fail.
bool CallTypes::mayBeErased(Operation *function, const IRMapping &copies,
                            Operation *copy, const Evaluation &body) {
  llvm::DenseSet<Operation *> erased = findErased(function, erasure),
                              erasedCopies;
  for (Operation *op : erased)
    erasedCopies.insert(copies.lookupOrNull(op));
  WalkResult walk = copy->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner == copy || inner->hasTrait<OpTrait::IsTerminator>() ||
        isa<OnnxConstantOp, OnnxAbsentOp>(inner))
      return WalkResult::advance();
    if (!body.has(inner))
      return WalkResult::interrupt();
    if (body.isFoldable(inner) || erasedCopies.contains(inner))
      return WalkResult::skip();
    Operator node = Operator::from(inner);
    const FoldingInterface *dialect = FoldingInterface::of(inner);
    bool isPure = node && !node.hasReferences() && body.mayChange(inner) &&
                  !mayFail(body.reason(inner)) &&
                  !dialect->checkOperands(inner) &&
                  (unneeded.contains(inner) ||
                   (isPureOperator(inner) &&
                    dialect->isRemovable(inner, body.functions())));
    return isPure ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    kept[function] = erased.size();
  return !walk.wasInterrupted();
}

bool CallTypes::mayFoldMore() const {
  return llvm::any_of(kept, [&](const auto &entry) {
    return findErased(entry.first, erasure).size() > entry.second;
  });
}

/// Notes what is known of results; the call folds if all that are read are
/// constants, and it may be erased.
static void give(Operation *op, ArrayRef<FoldedValue> values, bool mayBeErased,
                 Evaluation &evaluation) {
  bool isWhole = true, isAny = false;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    bool isKnown =
        value && !(value.tensor && value.tensor.type() == DataType::Opaque);
    isWhole &= isKnown || result.use_empty();
    isAny |= bool(value);
  }
  if (isAny && (mayBeErased || !isWhole))
    evaluation.giveResults(op, SmallVector<FoldedValue, 1>(values));
}

/// The state of an argument of a copy of a function that is called with
/// operands of these states.
static ValueState stateOfArgument(const CallOutcome &call,
                                  BlockArgument argument,
                                  SymbolTranslation &translation,
                                  DimExprs &table) {
  unsigned i = argument.getArgNumber();
  if (i < call.operands.size())
    return translation.inside(call.operands[i], table);
  ValueState state;
  state.absent = true;
  return state;
}

/// Evaluates a copy of the body for the operands. `isWhole`: it may fold.
void CallTypes::evaluate(Operation *op, Operation *function, bool isWhole,
                         Evaluation &around, CallOutcome &call) {
  IRMapping copies;
  OwningOpRef<Operation *> copy = copyForCall(function, op, copies);
  SymbolTranslation translation(call.table);
  EvaluationOptions options;
  UsedLimits used;
  if (isWhole) {
    options = around.evaluationOptions();
    options.used = options.used ? options.used : &used;
  } else {
    options.limits.maxResultBytes = mostBytes;
    options.limits.maxWork = mostWork;
    options.noteTypeConflict = around.evaluationOptions().noteTypeConflict;
    options.refinesTypes = true; // of the copy
  }
  options.functions = around.functions();
  auto usual = around.evaluationOptions().stateOfArgument;
  options.stateOfArgument = [&](BlockArgument argument, DimExprs &table) {
    if (argument.getOwner()->getParentOp() == *copy)
      return stateOfArgument(call, argument, translation, table);
    return usual ? usual(argument, table)
                 : stateOfType(argument.getType(), table);
  };
  Evaluation body(*copy, options);
  ++depth;
  llvm::DenseSet<Operation *> outer = std::exchange(unneeded, {});
  body.run(nullptr, [&](Operation *inner) {
    ++visited;
    infer(inner, body, isWhole ? Purpose::Erasure : Purpose::Results);
  });
  call.isErasable = isWhole && mayBeErased(function, copies, *copy, body);
  unneeded = std::move(outer);
  --depth;
  Operation *end = copy->getRegion(0).front().getTerminator();
  auto given = end->getOperands().take_front(
      std::min(end->getNumOperands(), op->getNumResults()));
  for (Value value : given)
    call.values.push_back(
        translation.outsideValue(body.state(value), body.exprs(), call.table));
  for (Value value : given)
    call.types.push_back(
        translation.outsideTypes(body.state(value), body.exprs(), call.table));
}

/// The types of results.
static void giveTypes(Operation *op, CallOutcomes::Place &place,
                      Evaluation &evaluation) {
  llvm::SmallVector<ValueState, 1> types(op->getNumResults());
  for (auto [type, known] : llvm::zip(types, place.outcome->types))
    type = place.outsideTypes(known, evaluation.exprs());
  evaluation.giveTypes(op, types);
}

/// Notes calls that the main graph makes, and those in copies of the functions
/// that it calls. Equal calls are evaluated once, and pass the same.
void CallTypes::noteOperands(Operation *op, Operation *function,
                             const Evaluation &evaluation) {
  Operation *main = graph.mainGraph();
  if (depth == 0)
    isReached = main && main->isProperAncestor(op) && !erasure.isErased(op);
  if (isReached)
    joined->note(function, op, evaluation);
}

/// The limits are reached: what the call passes on is not known.
void CallTypes::leaveOut() {
  if (isReached)
    joined->giveUp();
}

std::optional<ValueState> CallTypes::joinedState(BlockArgument argument,
                                                 DimExprs &exprs,
                                                 bool withSingle) {
  Operation *owner = argument.getOwner()->getParentOp();
  const CallGraph::Function *function = owner ? graph.find(owner) : nullptr;
  Operation *main = graph.mainGraph();
  // Calls in functions that nothing reaches do not count.
  if (!function || !main || main->getBlock() != owner->getBlock() ||
      !main->isBeforeInBlock(owner) ||
      (!withSingle && function->calls.size() == 1))
    return std::nullopt;
  return joined->stateOf(argument, exprs);
}

bool CallTypes::knowsSingle(const CallGraph::Function &function) const {
  return function.calls.size() == 1 && joined->knows(function.op);
}

void CallTypes::infer(Operation *op, Evaluation &evaluation, Purpose purpose) {
  const CallGraph::Function *function = graph.calledBy(op);
  if (!function)
    return;
  noteOperands(op, function->op, evaluation);
  if (depth >= mostDepth || visited > mostOperations)
    return leaveOut();
  bool isAsked = purpose == Purpose::Erasure;
  Hope hope = purpose == Purpose::Check ? Hope::None : hopeOf(op, evaluation);
  bool isWhole = hope == Hope::All || isAsked;
  bool isStated = !isOpen(op, evaluation);
  if (purpose == Purpose::Check && !isStated)
    return;
  if (!isWhole && hope == Hope::None && isStated && visited > mostForStated)
    return leaveOut();
  CallOutcomes::Place place =
      outcomes->find(op, function->op, isWhole, evaluation);
  CallOutcome &call = *place.outcome;
  if (place.isNew)
    evaluate(op, function->op, isWhole, evaluation, call);
  if (call.isErasable && isAsked)
    unneeded.insert(op);
  llvm::SmallVector<FoldedValue, 1> values(op->getNumResults());
  for (auto [value, known] : llvm::zip(values, call.values))
    value = place.outsideValue(known, evaluation.exprs());
  if (hope != Hope::None)
    give(op, values, call.isErasable, evaluation);
  giveTypes(op, place, evaluation);
}
