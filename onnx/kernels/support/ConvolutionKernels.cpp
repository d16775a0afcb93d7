//===- ConvolutionKernels.cpp - What convolution kernels share ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/elements/ops/Elementwise.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static Reason badShapes(const Elements &x, const Elements &w, int64_t groups) {
  return invalid("input #0 has shape " + toString(x.shape()) +
                 ", the weights have " + toString(w.shape()) +
                 ", in attribute 'group' " + llvm::Twine(groups));
}

/// Work: each element of x or y (`each`) meets `depth` others at each tap.
static Reason checkLimits(FoldContext &cx, const ConvolutionPlan &plan,
                          DataType type, ShapeRef each, int64_t depth) {
  if (Reason limit = cx.checkResult(type, plan.shape))
    return limit;
  return checkWindows(cx, type, each, plan.windows, depth);
}

ReasonOr<ConvolutionPlan> onnxfold::planConvolution(FoldContext &cx,
                                                    const Elements &x,
                                                    const Elements &w,
                                                    DataType type) {
  ConvolutionPlan plan;
  plan.groups = cx.integer("group").value_or(1);
  if (x.rank() < 3 || w.rank() != x.rank() || plan.groups < 1 ||
      x.dim(1) % plan.groups != 0 || x.dim(1) / plan.groups != w.dim(1) ||
      w.dim(0) % plan.groups != 0)
    return badShapes(x, w, plan.groups);
  ReasonOr<SlidingWindows> windows =
      readWindows(cx, x, w.shape().drop_front(2));
  if (!windows)
    return windows.reason();
  plan.windows = std::move(*windows);
  plan.shape = imageShape(x.dim(0), w.dim(0), plan.windows.positions);
  if (Reason limit = checkLimits(cx, plan, type, plan.shape, w.dim(1)))
    return limit;
  return plan;
}

ReasonOr<ConvolutionPlan> onnxfold::planTransposed(FoldContext &cx,
                                                   const Elements &x,
                                                   const Elements &w) {
  ConvolutionPlan plan;
  plan.groups = cx.integer("group").value_or(1);
  if (x.rank() < 3 || w.rank() != x.rank() || plan.groups < 1 ||
      x.dim(1) % plan.groups != 0 || w.dim(0) != x.dim(1) ||
      w.dim(1) > (int64_t(1) << 31) / plan.groups)
    return badShapes(x, w, plan.groups);
  ReasonOr<SlidingWindows> windows =
      readTransposedWindows(cx, x, w.shape().drop_front(2));
  if (!windows)
    return windows.reason();
  plan.windows = std::move(*windows);
  plan.shape = imageShape(x.dim(0), w.dim(1) * plan.groups, plan.windows.image);
  if (Reason limit = checkLimits(cx, plan, x.type(), x.shape(), w.dim(1)))
    return limit;
  return plan;
}

Reason onnxfold::checkBias(FoldContext &cx, unsigned input,
                           const ConvolutionPlan &plan) {
  if (!cx.hasInput(input) ||
      cx.input(input).shape() == ShapeRef({plan.filters()}))
    return {};
  return invalid("the bias has shape " + toString(cx.input(input).shape()) +
                 ", expected [" + llvm::Twine(plan.filters()) + "]");
}

Elements onnxfold::alongAxis(const Elements &vector, int64_t axis,
                             int64_t rank) {
  if (vector.size() == 1)
    return vector.reshape({});
  Shape shape(rank, 1);
  shape[axis] = vector.size();
  return vector.reshape(shape);
}

Elements onnxfold::addBias(const Elements &y, const Elements &bias) {
  if (!bias)
    return y;
  return zipAs<double, double, double>(
      y, cast(alongAxis(bias, 1, y.rank()), DataType::Float64),
      [](double v, double b) { return v + b; });
}

Elements onnxfold::centred(const Elements &x, const Elements &zero) {
  return zipAs<double, double, double>(
      cast(x, DataType::Float64), cast(zero, DataType::Float64),
      [](double v, double z) { return v - z; });
}

Elements onnxfold::wrapped(const Elements &wide) {
  return cast(cast(wide, DataType::Int64), DataType::Int32);
}
