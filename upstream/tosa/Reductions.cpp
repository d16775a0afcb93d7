//===- Reductions.cpp - Constant kernels of reductions in tosa ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Over one axis, which has size 1 in the result.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Whether all of the bools along an axis are true.
static FoldResult foldTosaReduceAll(FoldContext &cx) {
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (cx.input(0).type() != DataType::Bool)
    return Elements();
  return ops::all(cx.input(0), {*axis}, /*keepDims=*/true);
}

/// Whether any of the bools along an axis is true.
static FoldResult foldTosaReduceAny(FoldContext &cx) {
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (cx.input(0).type() != DataType::Bool)
    return Elements();
  return ops::any(cx.input(0), {*axis}, /*keepDims=*/true);
}

/// The largest element along an axis; of zeros +0 is the larger. NaN as
/// `nan_mode` says.
static FoldResult foldTosaReduceMax(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ReduceMaxOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  return reduceToExtreme(cx, /*wantsLarger=*/true, ignoresNan);
}

/// The smallest element along an axis; of zeros +0 is the larger. NaN as
/// `nan_mode` says.
static FoldResult foldTosaReduceMin(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ReduceMinOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  return reduceToExtreme(cx, /*wantsLarger=*/false, ignoresNan);
}

/// The product of floats along an axis, computed in double and rounded once.
static FoldResult foldTosaReduceProduct(FoldContext &cx) {
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return ops::reduce(cx.input(0), {*axis}, /*keepDims=*/true,
                     ops::Reduction::Product);
}

/// The sum along an axis: of f32 and narrower in double, rounded once. A sum of
/// integers that does not fit is undefined.
static FoldResult foldTosaReduceSum(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (isFloat(x.type()))
    return ops::reduce(x, {*axis}, /*keepDims=*/true, ops::Reduction::Sum);
  if (!isSmallInteger(x.type()))
    return Elements();
  return narrowed(ops::reduce(toInt64(x), {*axis}, true, ops::Reduction::Sum),
                  x.type());
}

/// The index of the largest element along an axis, of equal ones the first. NaN
/// is the largest, or with nan_mode IGNORE smaller than all.
static FoldResult foldTosaArgmax(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ArgMaxOp>(cx.operation());
  Elements x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (x.dim(*axis) == 0)
    return invalid("the axis is empty");
  if (isFloat(x.type()) &&
      op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE)
    x = ops::mapFloat(x, [](auto a) {
      return a != a ? -std::numeric_limits<decltype(a)>::infinity() : a;
    });
  Elements indices = ops::argReduce(x, *axis, /*keepDims=*/false,
                                    /*largest=*/true, /*selectLast=*/false);
  return indices ? ops::cast(indices, cx.resultType()) : indices;
}

namespace onnxfold::upstream {
void registerTosaReductions(KernelRegistry &registry) {
  registry.add("reduce_all", {1}, foldTosaReduceAll);
  registry.add("reduce_any", {1}, foldTosaReduceAny);
  registry.add("reduce_max", {1}, foldTosaReduceMax);
  registry.add("reduce_min", {1}, foldTosaReduceMin);
  registry.add("reduce_product", {1}, foldTosaReduceProduct);
  registry.add("reduce_sum", {1}, foldTosaReduceSum);
  registry.add("argmax", {1}, foldTosaArgmax);
}
} // namespace onnxfold::upstream
