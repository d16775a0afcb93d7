//===- Normalization.cpp - What normalising kernels share -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

/// f(x, y), or x if y is null.
template <class F>
static Elements combined(const Elements &x, const Elements &y, F f) {
  return y ? zipAs<double, double, double>(x, y, f) : x;
}

Elements onnxfold::scaledBy(const Elements &x, const Elements &factor) {
  return combined(x, factor, [](double v, double w) { return v * w; });
}

Elements onnxfold::dividedBy(const Elements &x, const Elements &divisor) {
  return combined(x, divisor, [](double v, double w) { return v / w; });
}

Elements onnxfold::shiftedBy(const Elements &x, const Elements &shift) {
  return combined(x, shift, [](double v, double w) { return v + w; });
}

Elements onnxfold::lessened(const Elements &x, const Elements &shift) {
  return combined(x, shift, [](double v, double w) { return v - w; });
}

static Elements meanOf(const Elements &x, ShapeRef axes) {
  return reduce(x, axes, /*keepDims=*/true, Reduction::Mean);
}

Moments onnxfold::momentsOf(const Elements &x, ShapeRef axes) {
  Moments m;
  Elements wide = x.unrounded();
  m.mean = meanOf(wide, axes).materialize();
  // A sum of doubles is off in its last bits, so that equal elements would not
  // be centred to 0; the mean of what is left says by how much. (Sums of
  // narrower types are as good as exact.)
  if (x.type() == DataType::Float64)
    m.mean =
        zipAs<double, double, double>(
            m.mean, meanOf(lessened(wide, m.mean), axes),
            [](double v, double d) { return std::isfinite(d) ? v + d : v; })
            .materialize();
  m.centred = lessened(wide, m.mean);
  m.variance = meanOf(
      mapAs<double, double>(m.centred, [](double d) { return d * d; }), axes);
  return m;
}

Elements onnxfold::rootOf(const Elements &x, double epsilon) {
  return mapAs<double, double>(
      x, [=](double v) { return std::sqrt(v + epsilon); });
}

Elements onnxfold::roundedResult(FoldContext &cx, const Elements &y,
                                 DataType type) {
  if (type == DataType::Undefined)
    type = cx.input(0).type();
  bool isWide = false;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    isWide |= cx.hasInput(i) && cx.input(i).isWide();
  return isWide && type != DataType::Float64 ? Elements::rounded(y, type)
                                             : cast(y, type);
}

Elements onnxfold::unroundedInput(FoldContext &cx, unsigned i) {
  return cx.hasInput(i) ? cx.input(i).unrounded() : Elements();
}

Elements onnxfold::unroundedVector(FoldContext &cx, unsigned i, int64_t axis,
                                   int64_t rank) {
  return alongAxis(cx.input(i).unrounded(), axis, rank);
}

Reason onnxfold::checkFloats(FoldContext &cx, bool mixed) {
  DataType first = cx.input(0).type();
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    if (!cx.hasInput(i))
      continue;
    DataType type = cx.input(i).type();
    if (typeClass(type) != TypeClass::Float)
      return notFolded(ReasonCode::UnsupportedType,
                       "input #" + llvm::Twine(i) + " has element type " +
                           name(type) + ", expected a float");
    if (!mixed && type != first)
      return invalid("input #" + llvm::Twine(i) + " has element type " +
                     name(type) + ", expected " + name(first) + " as input #0");
  }
  return {};
}

Reason onnxfold::checkShape(FoldContext &cx, unsigned i, ShapeRef shape) {
  if (cx.input(i).shape() == shape)
    return {};
  return invalid("input #" + llvm::Twine(i) + " has shape " +
                 toString(cx.input(i).shape()) + ", expected " +
                 toString(shape));
}

Reason onnxfold::checkBroadcastsToFirst(FoldContext &cx, unsigned i) {
  ShapeRef first = cx.input(0).shape();
  if (!cx.hasInput(i) ||
      broadcastShapes(first, cx.input(i).shape()) == Shape(first))
    return {};
  return invalid("input #" + llvm::Twine(i) + " has shape " +
                 toString(cx.input(i).shape()) +
                 ", which does not broadcast to " + toString(first));
}

Reason onnxfold::checkStashType(FoldContext &cx,
                                llvm::ArrayRef<DataType> allowed) {
  int64_t given = cx.integer("stash_type").value_or(int64_t(DataType::Float32));
  for (DataType type : allowed)
    if (given == int64_t(type))
      return {};
  return invalid("attribute 'stash_type' is " + llvm::Twine(given) +
                 ", which is not a type to compute in");
}

double onnxfold::epsilonOf(FoldContext &cx) {
  return cx.real("epsilon").value_or(1e-5f);
}

ReasonOr<Shape> onnxfold::axesFromAttribute(FoldContext &cx) {
  int64_t rank = cx.input(0).rank();
  ReasonOr<int64_t> axis = axisOf(cx, /*byDefault=*/-1, rank);
  if (!axis)
    return axis.reason();
  return Shape(llvm::ArrayRef(firstAxes(rank)).drop_front(*axis));
}
