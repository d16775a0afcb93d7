//===- CallTypes.cpp - Types and shapes of what calls give ----------------===//

#include "onnxfold/onnx/transforms/CallTypes.h"
#include "onnxfold/onnx/kernels/support/CallAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Calls in calls may grow exponentially. More than any model has, and seconds.
static constexpr size_t mostOperations = 1 << 18, mostDepth = 100;
/// Of shapes and the like; what is larger says nothing about types.
static constexpr int64_t mostElements = 4096;
static constexpr uint64_t mostBytes = 1 << 16, mostWork = 1 << 20;

CallTypes::CallTypes(Operation *module)
    : graph(module, [](Operation *) { return false; }) {}

namespace {

/// The symbols of two tables that are the same number.
class Translation {
public:
  explicit Translation(const Symbols &outside) : outside(outside) {}

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
      if (std::optional<int64_t> value = inside.valueOf(symbol))
        return table.constant(*value);
      auto known = from.find(symbol.id);
      return known == from.end() ? table.freshDimension() : known->second;
    });
  }

private:
  static Fact translate(const Fact &fact,
                        llvm::function_ref<SymbolHandle(SymbolHandle)> rename) {
    Fact result;
    result.type = fact.type;
    result.shape = fact.shape;
    if (result.shape)
      llvm::transform(*fact.shape, result.shape->begin(), rename);
    if (!fact.value || fact.value.size() > mostElements)
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
  llvm::DenseMap<int64_t, SymbolHandle> into, from;
};

} // namespace

static bool isOpen(Operation *call, const Evaluation &evaluation) {
  return llvm::any_of(call->getResults(), [&](Value result) {
    const Fact &fact = evaluation.fact(result);
    return !fact.absent && (fact.type == DataType::Undefined || !fact.shape);
  });
}

void CallTypes::infer(Operation *op, Evaluation &evaluation) {
  const CallGraph::Function *function = graph.calledBy(op);
  if (!function || depth >= mostDepth || visited > mostOperations ||
      !isOpen(op, evaluation))
    return;
  IRMapping copies;
  OwningOpRef<Operation *> copy = copyForCall(function->op, op, copies);
  Translation translation(evaluation.symbols());
  EvaluationOptions options;
  options.functions = graph.module();
  options.limits.maxResultBytes = mostBytes;
  options.limits.maxWork = mostWork;
  auto usual = evaluation.evaluationOptions().factOfArgument;
  options.factOfArgument = [&](BlockArgument argument, Symbols &table) {
    unsigned i = argument.getArgNumber();
    if (argument.getOwner()->getParentOp() != *copy ||
        i >= op->getNumOperands())
      return usual ? usual(argument, table)
                   : factOfType(argument.getType(), table);
    return translation.inside(evaluation.fact(op->getOperand(i)), table);
  };
  Evaluation body(*copy, options);
  ++depth;
  body.run([&](Operation *inner) {
    ++visited;
    infer(inner, body);
  });
  --depth;
  Operation *end = copy->getRegion(0).front().getTerminator();
  for (auto [result, given] : llvm::zip(op->getResults(), end->getOperands()))
    evaluation.refine(result,
                      translation.outsideTypes(body.fact(given), body.symbols(),
                                               evaluation.symbols()));
}
