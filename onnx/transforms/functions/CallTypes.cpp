//===- CallTypes.cpp - Types and values of results of calls ---------------===//

#include "onnxfold/onnx/transforms/functions/CallTypes.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Calls in calls may grow exponentially. More than any model has, and seconds.
static constexpr size_t mostOperations = 1 << 18, mostDepth = 100;
/// Of shapes and the like; what is larger says nothing about types.
static constexpr int64_t mostElements = 4096;
static constexpr uint64_t mostBytes = 1 << 16, mostWork = 1 << 20;

CallTypes::CallTypes(Operation *module, Going going)
    : going(std::move(going)),
      graph(module, [](Operation *) { return false; }) {}

namespace {

/// The symbols of two tables that are the same number.
class Translation {
public:
  /// `isWhole`: large constants too.
  Translation(const DimExprs &outside, bool isWhole)
      : outside(outside), isWhole(isWhole) {}

  ValueState inside(const ValueState &state, DimExprs &table) {
    return translate(state, [&](DimExpr symbol) {
      if (std::optional<int64_t> value = outside.valueOf(symbol))
        return table.constant(*value);
      auto [it, isNew] = into.try_emplace(symbol.id);
      if (isNew) {
        it->second = table.fresh(outside.rangeOf(symbol));
        from[it->second.id] = symbol;
      }
      return it->second;
    });
  }

  /// Type and shape; what the body computes of sizes is any size.
  ValueState outsideTypes(const ValueState &state, const DimExprs &inside,
                          DimExprs &table) {
    ValueState types;
    types.type = state.type;
    types.shape = state.shape;
    return translate(types, [&](DimExpr symbol) {
      return find(symbol, inside, table,
                  [&] { return table.freshDimension(); });
    });
  }

  /// What is known of the elements. (DimExprs of floats mean what their table
  /// says.)
  FoldedValue outsideValue(const ValueState &state, const DimExprs &inside,
                           DimExprs &table) {
    if (!state.isSymbolic())
      return state.known();
    if (!isInteger(state.type))
      return {};
    return translate(state,
                     [&](DimExpr symbol) {
                       return find(symbol, inside, table, [&] {
                         return table.fresh(inside.rangeOf(symbol));
                       });
                     })
        .value;
  }

private:
  /// The same number in the table outside; a new one is the same for all that
  /// the call gives.
  DimExpr find(DimExpr symbol, const DimExprs &inside, DimExprs &table,
               llvm::function_ref<DimExpr()> make) {
    if (std::optional<int64_t> value = inside.valueOf(symbol))
      return table.constant(*value);
    auto known = from.find(symbol.id);
    if (known == from.end())
      known = from.try_emplace(symbol.id, make()).first;
    return known->second;
  }

  ValueState translate(const ValueState &state,
                       llvm::function_ref<DimExpr(DimExpr)> rename) const {
    ValueState result;
    result.absent = state.absent;
    result.sequence = state.sequence;
    result.isNothing = state.isNothing;
    result.type = state.type;
    result.shape = state.shape;
    if (result.shape)
      llvm::transform(*state.shape, result.shape->begin(), rename);
    if (!state.value || (!isWhole && state.value.size() > mostElements))
      return result;
    result.value = state.value;
    if (!state.isSymbolic())
      return result;
    auto elements = state.value.values<DimExpr>();
    llvm::transform(elements, elements.begin(), rename);
    result.value = Elements::fromValues<DimExpr>(state.value.shape(),
                                                 ArrayRef<DimExpr>(elements));
    return result;
  }

  const DimExprs &outside;
  bool isWhole;
  llvm::DenseMap<int64_t, DimExpr> into, from;
};

} // namespace

static bool isOpen(Operation *call, const Evaluation &evaluation) {
  return llvm::any_of(call->getResults(), [&](Value result) {
    const ValueState &state = evaluation.state(result);
    return !state.absent && (state.type == DataType::Undefined || !state.shape);
  });
}

/// Which results that are read may be constant although an argument is not
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

/// Nobody would miss what a copy of a function does besides its results: all of
/// it is deterministic, may go, and is not known to fail.
bool CallTypes::mayGo(Operation *function, const IRMapping &copies,
                      Operation *copy, const Evaluation &body) {
  llvm::DenseSet<Operation *> goes = findGoing(function, going), gone;
  for (Operation *op : goes)
    gone.insert(copies.lookupOrNull(op));
  WalkResult walk = copy->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner == copy || inner->hasTrait<OpTrait::IsTerminator>() ||
        isa<OnnxConstantOp, OnnxAbsentOp>(inner))
      return WalkResult::advance();
    if (!body.has(inner))
      return WalkResult::interrupt();
    if (body.isFoldable(inner) || gone.contains(inner))
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
    kept[function] = goes.size();
  return !walk.wasInterrupted();
}

bool CallTypes::mayFoldMore() const {
  return llvm::any_of(kept, [&](const auto &entry) {
    return findGoing(entry.first, going).size() > entry.second;
  });
}

/// Notes what is known of results; the call folds if all that are read are
/// constants, and it may go.
static void give(Operation *op, ArrayRef<FoldedValue> values, bool mayGo,
                 Evaluation &evaluation) {
  bool isWhole = true, isAny = false;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    bool isKnown =
        value && !(value.tensor && value.tensor.type() == DataType::Opaque);
    isWhole &= isKnown || result.use_empty();
    isAny |= bool(value);
  }
  if (isAny && (mayGo || !isWhole))
    evaluation.giveResults(op, SmallVector<FoldedValue, 1>(values));
}

/// What is known of an argument of a copy of a function that `op` calls.
static ValueState stateOfArgument(Operation *op, BlockArgument argument,
                                  const Evaluation &evaluation,
                                  Translation &translation, DimExprs &table) {
  unsigned i = argument.getArgNumber();
  if (i < op->getNumOperands())
    return translation.inside(evaluation.state(op->getOperand(i)), table);
  ValueState state;
  state.absent = true;
  return state;
}

/// `isAsked`: whether the call is one that nobody would miss.
void CallTypes::infer(Operation *op, Evaluation &evaluation, bool isAsked) {
  const CallGraph::Function *function = graph.calledBy(op);
  if (!function || depth >= mostDepth || visited > mostOperations)
    return;
  Hope hope = hopeOf(op, evaluation);
  bool isWhole = hope == Hope::All || isAsked;
  if (!isWhole && hope == Hope::None && !isOpen(op, evaluation))
    return;
  IRMapping copies;
  OwningOpRef<Operation *> copy = copyForCall(function->op, op, copies);
  Translation translation(evaluation.exprs(), isWhole);
  EvaluationOptions options;
  UsedLimits used;
  if (isWhole) {
    options = evaluation.evaluationOptions();
    options.used = options.used ? options.used : &used;
  } else {
    options.limits.maxResultBytes = mostBytes;
    options.limits.maxWork = mostWork;
    options.noteTypeConflict = evaluation.evaluationOptions().noteTypeConflict;
    options.refinesTypes = true; // of the copy
  }
  options.functions = evaluation.functions();
  auto usual = evaluation.evaluationOptions().stateOfArgument;
  options.stateOfArgument = [&](BlockArgument argument, DimExprs &table) {
    if (argument.getOwner()->getParentOp() == *copy)
      return stateOfArgument(op, argument, evaluation, translation, table);
    return usual ? usual(argument, table)
                 : stateOfType(argument.getType(), table);
  };
  Evaluation body(*copy, options);
  ++depth;
  llvm::DenseSet<Operation *> around = std::exchange(unneeded, {});
  body.run(nullptr, [&](Operation *inner) {
    ++visited;
    infer(inner, body, isWhole);
  });
  bool goes = isWhole && mayGo(function->op, copies, *copy, body);
  unneeded = std::move(around);
  --depth;
  if (goes && isAsked)
    unneeded.insert(op);
  Operation *end = copy->getRegion(0).front().getTerminator();
  llvm::SmallVector<FoldedValue, 1> values(op->getNumResults());
  for (auto [value, given] : llvm::zip(values, end->getOperands()))
    value = translation.outsideValue(body.state(given), body.exprs(),
                                     evaluation.exprs());
  if (hope != Hope::None)
    give(op, values, goes, evaluation);
  for (auto [result, given] : llvm::zip(op->getResults(), end->getOperands()))
    evaluation.refine(result,
                      translation.outsideTypes(body.state(given), body.exprs(),
                                               evaluation.exprs()));
}
