//===- CallTypes.cpp - What is known of what calls give -------------------===//

#include "onnxfold/onnx/transforms/functions/internal/CallTypes.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
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
  Translation(const Symbols &outside, bool isWhole)
      : outside(outside), isWhole(isWhole) {}

  Fact inside(const Fact &fact, Symbols &table) {
    return translate(fact, [&](SymbolHandle symbol) {
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
  Fact outsideTypes(const Fact &fact, const Symbols &inside, Symbols &table) {
    Fact types;
    types.type = fact.type;
    types.shape = fact.shape;
    return translate(types, [&](SymbolHandle symbol) {
      return find(symbol, inside, table,
                  [&] { return table.freshDimension(); });
    });
  }

  /// What is known of the elements. (Symbols of floats mean what their table
  /// says.)
  FoldedValue outsideValue(const Fact &fact, const Symbols &inside,
                           Symbols &table) {
    if (!fact.isSymbolic())
      return fact.known();
    if (!isInteger(fact.type))
      return {};
    return translate(fact,
                     [&](SymbolHandle symbol) {
                       return find(symbol, inside, table, [&] {
                         return table.fresh(inside.rangeOf(symbol));
                       });
                     })
        .value;
  }

private:
  /// The same number in the table outside; a new one is the same for all that
  /// the call gives.
  SymbolHandle find(SymbolHandle symbol, const Symbols &inside, Symbols &table,
                    llvm::function_ref<SymbolHandle()> make) {
    if (std::optional<int64_t> value = inside.valueOf(symbol))
      return table.constant(*value);
    auto known = from.find(symbol.id);
    if (known == from.end())
      known = from.try_emplace(symbol.id, make()).first;
    return known->second;
  }

  Fact translate(const Fact &fact,
                 llvm::function_ref<SymbolHandle(SymbolHandle)> rename) const {
    Fact result;
    result.absent = fact.absent;
    result.sequence = fact.sequence;
    result.isNothing = fact.isNothing;
    result.type = fact.type;
    result.shape = fact.shape;
    if (result.shape)
      llvm::transform(*fact.shape, result.shape->begin(), rename);
    if (!fact.value || (!isWhole && fact.value.size() > mostElements))
      return result;
    result.value = fact.value;
    if (!fact.isSymbolic())
      return result;
    auto elements = fact.value.values<SymbolHandle>();
    llvm::transform(elements, elements.begin(), rename);
    result.value = Elements::fromValues<SymbolHandle>(
        fact.value.shape(), ArrayRef<SymbolHandle>(elements));
    return result;
  }

  const Symbols &outside;
  bool isWhole;
  llvm::DenseMap<int64_t, SymbolHandle> into, from;
};

} // namespace

static bool isOpen(Operation *call, const Evaluation &evaluation) {
  return llvm::any_of(call->getResults(), [&](Value result) {
    const Fact &fact = evaluation.fact(result);
    return !fact.absent && (fact.type == DataType::Undefined || !fact.shape);
  });
}

/// Which results that are read may be constant although an argument is not
/// known. (Where all are, the engine has computed the call.)
CallTypes::Hope CallTypes::hopeOf(Operation *op, const Evaluation &evaluation) {
  Operator call = Operator::from(op);
  bool isDynamic = llvm::any_of(op->getOperands(), [&](Value operand) {
    const Fact &fact = evaluation.fact(operand);
    return !fact.absent && !fact.known();
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
        value && !(value.tensor && value.tensor.type() == DataType::Symbol);
    isWhole &= isKnown || result.use_empty();
    isAny |= bool(value);
  }
  if (isAny && (mayGo || !isWhole))
    evaluation.giveResults(op, SmallVector<FoldedValue, 1>(values));
}

/// What is known of an argument of a copy of a function that `op` calls.
static Fact factOfArgument(Operation *op, BlockArgument argument,
                           const Evaluation &evaluation,
                           Translation &translation, Symbols &table) {
  unsigned i = argument.getArgNumber();
  if (i < op->getNumOperands())
    return translation.inside(evaluation.fact(op->getOperand(i)), table);
  Fact fact;
  fact.absent = true;
  return fact;
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
  Translation translation(evaluation.symbols(), isWhole);
  EvaluationOptions options;
  UsedLimits used;
  if (isWhole) {
    options = evaluation.evaluationOptions();
    options.used = options.used ? options.used : &used;
  } else {
    options.limits.maxResultBytes = mostBytes;
    options.limits.maxWork = mostWork;
  }
  options.functions = evaluation.functions();
  auto usual = evaluation.evaluationOptions().factOfArgument;
  options.factOfArgument = [&](BlockArgument argument, Symbols &table) {
    if (argument.getOwner()->getParentOp() == *copy)
      return factOfArgument(op, argument, evaluation, translation, table);
    return usual ? usual(argument, table)
                 : factOfType(argument.getType(), table);
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
    value = translation.outsideValue(body.fact(given), body.symbols(),
                                     evaluation.symbols());
  if (hope != Hope::None)
    give(op, values, goes, evaluation);
  for (auto [result, given] : llvm::zip(op->getResults(), end->getOperands()))
    evaluation.refine(result,
                      translation.outsideTypes(body.fact(given), body.symbols(),
                                               evaluation.symbols()));
}
