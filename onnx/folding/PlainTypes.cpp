//===- PlainTypes.cpp - Types of the commonest operators ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/internal/PlainTypes.h"
#include "onnxfold/onnx/folding/SymbolicShapes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>

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

/// Nothing if it is not clear which size holds.
static std::optional<SymbolicShape> broadcastSizes(const SymbolicShape &a,
                                                   const SymbolicShape &b,
                                                   const DimExprs &exprs) {
  SymbolicShape sizes = a.size() < b.size() ? b : a;
  const SymbolicShape &shorter = a.size() < b.size() ? a : b;
  size_t lead = sizes.size() - shorter.size();
  for (auto [i, y] : llvm::enumerate(shorter)) {
    DimExpr &x = sizes[lead + i];
    if (x == y || exprs.valueOf(y) == 1)
      continue;
    if (exprs.valueOf(x) != 1)
      return std::nullopt;
    x = y;
  }
  return sizes;
}

using OperandStates = ArrayRef<const ValueState *>;

/// The list that operand `i` is; nothing if it is none, or not known.
static std::optional<llvm::SmallVector<int64_t>> listOf(OperandStates operands,
                                                        size_t i) {
  const ValueState &state = *operands[i];
  if (!state.isConstant() || state.type != DataType::Int64 ||
      state.value.rank() != 1)
    return std::nullopt;
  return state.value.ints();
}

/// The place of an axis in a shape; nothing for an axis that it lacks.
static std::optional<size_t> placeOf(int64_t axis, const SymbolicShape &shape) {
  int64_t rank = shape.size(), place = axis < 0 ? axis + rank : axis;
  return place >= 0 && place < rank ? std::optional<size_t>(place)
                                    : std::nullopt;
}

/// ReduceSum(x, axes) with known axes, whose sizes become 1.
static std::optional<SymbolicShape>
reducedSizes(Operator op, OperandStates operands, DimExprs &exprs) {
  if (operands.size() != 2 || op.getInt("keepdims", 1) != 1)
    return std::nullopt;
  auto axes = listOf(operands, 1);
  if (!axes || axes->empty()) // which may be all axes, or none
    return std::nullopt;
  SymbolicShape sizes = *operands[0]->shape;
  for (int64_t axis : *axes) {
    std::optional<size_t> place = placeOf(axis, sizes);
    if (!place)
      return std::nullopt;
    sizes[*place] = exprs.constant(1);
  }
  return sizes;
}

/// Slice(x, starts, ends, axes) of known sizes and places, without steps.
static std::optional<SymbolicShape> slicedSizes(OperandStates operands,
                                                DimExprs &exprs) {
  if (operands.size() != 4)
    return std::nullopt;
  auto starts = listOf(operands, 1), ends = listOf(operands, 2),
       axes = listOf(operands, 3);
  if (!starts || !ends || !axes || starts->size() != axes->size() ||
      ends->size() != axes->size())
    return std::nullopt;
  SymbolicShape sizes = *operands[0]->shape;
  llvm::SmallBitVector seen(sizes.size());
  for (auto [start, end, axis] : llvm::zip_equal(*starts, *ends, *axes)) {
    std::optional<size_t> place = placeOf(axis, sizes);
    if (!place || seen[*place])
      return std::nullopt;
    std::optional<int64_t> size = exprs.valueOf(sizes[*place]);
    if (!size)
      return std::nullopt;
    seen.set(*place);
    auto within = [size = *size](int64_t at) {
      return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
    };
    sizes[*place] =
        exprs.constant(std::max<int64_t>(within(end) - within(start), 0));
  }
  return sizes;
}

/// The sizes that an operator gives that has one operand of data, and lists.
static std::optional<SymbolicShape>
sizesByLists(Operator op, OperandStates operands, DimExprs &exprs) {
  constexpr int sliceHasAxes = 10, sumHasAxes = 13;
  if (op.is("Slice") && op.since() >= sliceHasAxes)
    return slicedSizes(operands, exprs);
  if (op.is("ReduceSum") && op.since() >= sumHasAxes)
    return reducedSizes(op, operands, exprs);
  return std::nullopt;
}

static bool isTyped(const ValueState &state) {
  return !state.absent && state.type != DataType::Undefined && state.shape;
}

/// Element-wise operators and products.
static std::optional<ValueState> inferSameSizes(Operator op, SameSizes kind,
                                                OperandStates operands,
                                                const DimExprs &exprs) {
  constexpr int broadcasts = 13; // all of them do so, as today
  size_t count = kind == SameSizes::Unary ? 1 : 2;
  if (op.since() < broadcasts || operands.size() != count)
    return std::nullopt;
  for (const ValueState *one : operands)
    if (!isTyped(*one) || one->type != operands[0]->type)
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

std::optional<ValueState>
onnxfold::inferPlainly(Operator op, OperandStates operands, DimExprs &exprs) {
  if (!op.domain().empty() || op->getNumResults() != 1)
    return std::nullopt;
  if (SameSizes kind = sameSizesOf(op.opType()); kind != SameSizes::None)
    return inferSameSizes(op, kind, operands, exprs);
  if (operands.empty() || !isTyped(*operands[0]))
    return std::nullopt;
  ValueState made;
  made.type = operands[0]->type;
  made.shape = sizesByLists(op, operands, exprs);
  return made.shape ? std::optional(made) : std::nullopt;
}
