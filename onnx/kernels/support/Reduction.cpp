//===- Reduction.cpp - Kernels that reduce over axes ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Reduction.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Roots and logarithms of integers, which are computed as doubles, cut off.
static FoldResult toInteger(const Elements &wide, DataType type) {
  Elements y = wide.materialize();
  if (std::optional<int64_t> bad = firstNotConvertible(y, type))
    return undefined("element " + toString(indexOf(*bad, y.shape())) +
                     " of the result is out of the range of " + name(type));
  return cast(y, type);
}

static FoldResult reducePartlyKnown(FoldContext &cx, Reduction kind,
                                    ShapeRef axes, bool keepDims) {
  switch (kind) {
  case Reduction::Sum:
    return reduceSymbols(cx, SymbolOp::Add, axes, keepDims);
  case Reduction::Product:
    return reduceSymbols(cx, SymbolOp::Multiply, axes, keepDims);
  case Reduction::Min:
    return reduceSymbols(cx, SymbolOp::Minimum, axes, keepDims);
  case Reduction::Max:
    return reduceSymbols(cx, SymbolOp::Maximum, axes, keepDims);
  default:
    return notFolded(ReasonCode::InputNotConstant,
                     "input #0 is known in part only");
  }
}

FoldResult onnxfold::foldReduction(FoldContext &cx, Reduction kind,
                                   int inputSince) {
  const Elements &x = cx.input(0);
  std::optional<Shape> given = attributeOrInput(cx, "axes", 1, inputSince);
  ReasonOr<Shape> axes = axesOnce(cx, given.value_or(Shape()), x.rank());
  if (!axes)
    return axes.reason();
  if (axes->empty() && cx.integer("noop_with_empty_axes").value_or(0) == 0)
    *axes = firstAxes(x.rank());
  bool keepDims = cx.integer("keepdims").value_or(1) != 0;
  if (cx.isSymbolic())
    return reducePartlyKnown(cx, kind, *axes, keepDims);
  Shape shape = reducedShape(x.shape(), *axes, keepDims);
  if (kind == Reduction::Mean && x.size() == 0 && numElements(shape) != 0) {
    if (mustDecide(cx)) // ONNX Runtime fills as it does for sums
      return reduce(x, *axes, keepDims, Reduction::Sum);
    return undefined("input #0 has shape " + toString(x.shape()) +
                     ", and the mean of no elements is undefined");
  }
  if (kind == Reduction::Max || kind == Reduction::Min)
    if (Reason nan = checkNoNaN(cx, 0))
      return nan;
  Elements y = reduce(x, *axes, keepDims, kind);
  return y && y.type() != x.type() ? toInteger(y, x.type()) : y;
}

FoldResult onnxfold::foldArgReduction(FoldContext &cx, bool largest) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
  if (!axis)
    return axis.reason();
  bool keepDims = cx.integer("keepdims").value_or(1) != 0;
  if (x.dim(*axis) == 0) {
    Shape shape = reducedShape(x.shape(), {*axis}, keepDims);
    // The reference evaluator refuses even a result without elements.
    if (numElements(shape) == 0 && mustDecide(cx))
      return Elements::splat<int64_t>(shape, 0);
    return undefined("input #0 has shape " + toString(x.shape()) +
                     ", there is nothing to choose along axis " +
                     llvm::Twine(*axis));
  }
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  bool last = cx.integer("select_last_index").value_or(0) != 0;
  return argReduce(x, *axis, keepDims, largest, last);
}
