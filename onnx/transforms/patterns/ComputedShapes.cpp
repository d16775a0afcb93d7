//===- ComputedShapes.cpp - Shapes that exporters compute at run time -----===//
// SPDX-License-Identifier: Apache-2.0
//
// What a graph computes from dimensions, and could have been told: constant
// targets (ShapeTargets.h), and a Shape in the place of a dozen nodes.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/transforms/patterns/ShapeTargets.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace onnxfold;
using namespace mlir;

/// A node of the operator at hand that reads `list` as input #1.
static Value withTarget(const CleanUpContext &cx, ArrayRef<int64_t> list) {
  Value target = cx.nodes.integers(list);
  return cx.nodes.create(cx.op.name(), {cx.op.input(0), target});
}

static Value reshapeTo(const CleanUpContext &cx, bool assumeNoneEmpty) {
  if (!cx.op.is("Reshape") || !cx.nodes.sinceOf("Reshape") ||
      !mayStateIntegers(cx.op.getOperation()))
    return {};
  auto target = constantReshapeTarget(cx.op, cx.knownValues(), assumeNoneEmpty);
  return target ? withTarget(cx, *target) : Value();
}

Value patterns::matchReshapeTarget(const CleanUpContext &cx) {
  return reshapeTo(cx, /*assumeNoneEmpty=*/false);
}

Value patterns::matchReshapeRest(const CleanUpContext &cx) {
  return reshapeTo(cx, /*assumeNoneEmpty=*/true);
}

Value patterns::matchReshapeFlat(const CleanUpContext &cx) {
  constexpr int anyType = 9; // Flatten, which took floats before
  // Reshape-1 has its shape as an attribute.
  if (!cx.op.is("Reshape") || !cx.op.hasInput(1))
    return {};
  const ValueState &target = cx.knownValues().state(cx.op.input(1));
  const auto &given = cx.knownValues().state(cx.op.input(0)).shape;
  if (!given || given->size() < 2 || !target.isSymbolic() ||
      target.value.rank() != 1 || target.value.size() != 2 ||
      cx.nodes.sinceOf("Flatten").value_or(0) < anyType)
    return {};
  // Whether a product is the size that is asked for is known of a Flatten.
  for (size_t axis = given->size() - 1; axis > 0; --axis) {
    Value flat = cx.nodes.create("Flatten", {cx.op.input(0)},
                                 cx.nodes.attribute("axis", int64_t(axis)));
    if (cx.isLike(flat))
      return flat;
    cx.nodes.discard();
  }
  return {};
}

Value patterns::matchExpandTarget(const CleanUpContext &cx) {
  if (!cx.op.is("Expand") || !cx.nodes.sinceOf("Expand"))
    return {};
  auto target = constantExpandTarget(cx.op, cx.knownValues());
  return target ? withTarget(cx, *target) : Value();
}

Value patterns::matchSliceEnd(const CleanUpContext &cx) {
  if (!cx.op.is("Slice") || !cx.nodes.sinceOf("Slice"))
    return {};
  auto ends = constantSliceEnds(cx.op, cx.knownValues());
  if (!ends)
    return {};
  SmallVector<Value, 5> inputs(cx.op->getOperands());
  DataType type = cx.typeOf(inputs[2]);
  Elements list = Elements::fromValues<int64_t>({int64_t(ends->size())},
                                                ArrayRef<int64_t>(*ends));
  inputs[2] = cx.nodes.constant(
      type == DataType::Int64 ? list : ops::cast(list, type).materialize());
  return cx.nodes.create("Slice", inputs);
}

//===----------------------------------------------------------------------===//
// Shape in the place of what is made of it
//===----------------------------------------------------------------------===//

/// The operators of the same graph that a value is computed from, nearest
/// first.
static SmallVector<Operator, 16> makersOf(Operator op) {
  constexpr size_t most = 32;
  llvm::SmallSetVector<Operation *, 16> seen;
  SmallVector<Operator, 16> makers;
  seen.insert(op.getOperation());
  for (size_t i = 0; i < seen.size() && i < most; ++i)
    for (Value operand : seen[i]->getOperands()) {
      Operator maker = Operator::from(operand.getDefiningOp());
      if (maker && maker->getBlock() == op->getBlock() &&
          seen.insert(maker.getOperation()))
        makers.push_back(maker);
    }
  return makers;
}

/// The position of `part` in `all`.
static std::optional<int64_t> findPart(ArrayRef<DimExpr> part,
                                       ArrayRef<DimExpr> all) {
  for (size_t i = 0; i + part.size() <= all.size(); ++i)
    if (all.slice(i, part.size()) == part)
      return i;
  return std::nullopt;
}

Value patterns::matchShapeOf(const CleanUpContext &cx) {
  constexpr int hasPart = 15; // attributes start and end
  const ValueState &state = cx.knownValues().state(cx.op->getResult(0));
  if (cx.op.is("Shape") || state.type != DataType::Int64 ||
      !state.isSymbolic() || state.value.rank() != 1 ||
      cx.nodes.sinceOf("Shape").value_or(0) < hasPart)
    return {};
  std::vector<DimExpr> wanted = state.value.values<DimExpr>();
  for (Operator shape : makersOf(cx.op)) {
    if (!shape.is("Shape"))
      continue;
    const auto &all = cx.knownValues().state(shape.input(0)).shape;
    std::optional<int64_t> start =
        all ? findPart(wanted, *all) : std::optional<int64_t>();
    if (!start)
      continue;
    SmallVector<NamedAttribute, 2> attributes;
    int64_t end = *start + int64_t(wanted.size());
    if (*start != 0)
      attributes.push_back(cx.nodes.attribute("start", *start));
    if (end != int64_t(all->size()))
      attributes.push_back(cx.nodes.attribute("end", end));
    return cx.nodes.create("Shape", {shape.input(0)}, attributes);
  }
  return {};
}

Value patterns::matchShapeParts(const CleanUpContext &cx) {
  const ValueState &state = cx.knownValues().state(cx.op->getResult(0));
  if (!cx.op.is("Where") || state.type != DataType::Int64 ||
      !state.isSymbolic() || state.value.rank() != 1 ||
      !cx.nodes.sinceOf("Concat") || !mayStateIntegers(cx.op.getOperation()))
    return {};
  const DimExprs &exprs = cx.knownValues().exprs();
  std::vector<DimExpr> all = state.value.values<DimExpr>();
  auto isUnknown = [&](DimExpr d) { return !exprs.valueOf(d); };
  auto begin = llvm::find_if(all, isUnknown);
  auto end = std::find_if(all.rbegin(), all.rend(), isUnknown).base();
  std::vector<DimExpr> middle(begin, end);
  for (Operator maker : makersOf(cx.op)) {
    const ValueState &part = cx.knownValues().state(maker->getResult(0));
    if (!part.isSymbolic() || part.type != DataType::Int64 ||
        part.value.rank() != 1 || part.value.values<DimExpr>() != middle)
      continue;
    auto numbers = [&](auto from, auto to) {
      return llvm::map_to_vector(llvm::make_range(from, to),
                                 [&](auto d) { return *exprs.valueOf(d); });
    };
    SmallVector<Value, 3> parts;
    if (begin != all.begin())
      parts.push_back(cx.nodes.integers(numbers(all.begin(), begin)));
    parts.push_back(maker->getResult(0));
    if (end != all.end())
      parts.push_back(cx.nodes.integers(numbers(end, all.end())));
    return cx.nodes.create("Concat", parts,
                           cx.nodes.attribute("axis", int64_t(0)));
  }
  return {};
}
