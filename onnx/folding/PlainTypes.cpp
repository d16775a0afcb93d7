//===- PlainTypes.cpp - Types of the commonest operators ------------------===//

#include "onnxfold/onnx/folding/internal/PlainTypes.h"
#include "onnxfold/onnx/folding/SymbolicShapes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace onnxfold;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// Operators whose result has the sizes of their operands.
enum class SameSizes { None, Unary, Arithmetic, Comparison, Product };

} // namespace

static SameSizes sameSizesOf(StringRef opType) {
  static const auto *kinds = [] {
    auto *made = new llvm::StringMap<SameSizes>;
    for (StringRef name :
         {"Abs", "Ceil", "Erf", "Exp", "Floor", "Log", "Neg", "Reciprocal",
          "Relu", "Sigmoid", "Sign", "Sqrt", "Tanh"})
      (*made)[name] = SameSizes::Unary;
    for (StringRef name : {"Add", "Div", "Max", "Min", "Mul", "Sub"})
      (*made)[name] = SameSizes::Arithmetic;
    for (StringRef name :
         {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"})
      (*made)[name] = SameSizes::Comparison;
    (*made)["MatMul"] = SameSizes::Product;
    return made;
  }();
  return kinds->lookup(opType);
}

/// Of operands of one rank; nothing if it is not clear which size holds.
static std::optional<SymbolicShape> broadcastSizes(const SymbolicShape &a,
                                                   const SymbolicShape &b,
                                                   const DimExprs &exprs) {
  if (a.size() != b.size())
    return std::nullopt;
  SymbolicShape sizes;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    if (x == y || exprs.valueOf(y) == 1)
      sizes.push_back(x);
    else if (exprs.valueOf(x) == 1)
      sizes.push_back(y);
    else
      return std::nullopt;
  }
  return sizes;
}

std::optional<ValueState>
onnxfold::inferPlainly(Operator op, ArrayRef<const ValueState *> operands,
                       const DimExprs &exprs) {
  constexpr int broadcasts = 13; // all of them do so, as today
  SameSizes kind =
      op.since() < broadcasts ? SameSizes::None : sameSizesOf(op.opType());
  size_t count = kind == SameSizes::Unary ? 1 : 2;
  if (kind == SameSizes::None || !op.domain().empty() ||
      operands.size() != count || op->getNumResults() != 1)
    return std::nullopt;
  for (const ValueState *one : operands)
    if (one->absent || one->type != operands[0]->type ||
        one->type == DataType::Undefined || !one->shape)
      return std::nullopt;
  ValueState made;
  made.type =
      kind == SameSizes::Comparison ? DataType::Bool : operands[0]->type;
  const SymbolicShape &first = *operands[0]->shape;
  if (kind == SameSizes::Unary) {
    made.shape = first;
    return made;
  }
  const SymbolicShape &second = *operands[1]->shape;
  if (kind != SameSizes::Product)
    made.shape = broadcastSizes(first, second, exprs);
  else if (first.size() == 2 && second.size() == 2 && first[1] == second[0])
    made.shape = SymbolicShape{first[0], second[1]};
  return made.shape ? std::optional(made) : std::nullopt;
}
