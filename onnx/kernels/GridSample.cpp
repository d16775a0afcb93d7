//===- GridSample.cpp - Constant kernel of onnx.GridSample ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An image read at the points of a grid. Spec: onnx GridSample, versions 16
// (4-D; modes are named bilinear and bicubic), 20 (any rank), 22. Nearest moves
// elements of any type (half to even); else in double, rounded once, as one
// dimension after another. Integers: the fraction is cut off, but what differs
// from a whole number by rounding alone is that number.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Casting.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/ResizeKernels.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Attributes, or what is wrong with them; `nearest` stands beside the filters.
static Reason readOptions(FoldContext &cx, SamplingOptions &options,
                          bool &nearest) {
  bool old = cx.version() < 20;
  std::string linear = old ? "bilinear" : "linear";
  std::string mode = cx.string("mode").value_or(linear);
  std::string padding = cx.string("padding_mode").value_or("zeros");
  nearest = mode == "nearest";
  options.filter.cubic = mode == (old ? "bicubic" : "cubic");
  options.alignCorners = cx.integer("align_corners").value_or(0) != 0;
  if (!nearest && !options.filter.cubic && mode != linear)
    return invalid("attribute 'mode' is '" + mode + "'");
  if (padding == "border")
    options.padding = SamplePadding::Border;
  else if (padding == "reflection")
    options.padding = SamplePadding::Reflection;
  else if (padding != "zeros")
    return invalid("attribute 'padding_mode' is '" + padding + "'");
  return {};
}

static Reason checkShapes(FoldContext &cx, const Elements &x,
                          const Elements &grid) {
  if (x.rank() >= 3 && grid.rank() == x.rank() && grid.dim(0) == x.dim(0) &&
      grid.dim(x.rank() - 1) == x.rank() - 2 &&
      (cx.version() >= 20 || x.rank() == 4) &&
      typeClass(grid.type()) == TypeClass::Float)
    return {};
  return invalid("the input has shape " + toString(x.shape()) +
                 ", the grid type " + name(grid.type()) + " and shape " +
                 toString(grid.shape()));
}

/// Elements of x [N, C, image...] at indices [N, positions...], where -1 is a
/// zero.
static Elements move(const Elements &x, const Elements &indices,
                     ShapeRef shape) {
  int64_t image = numElements(x.shape().drop_front(2));
  Elements pixels = x.reshape({x.dim(0), x.dim(1), image});
  if (firstWhere<int64_t>(indices, [](int64_t i) { return i < 0; }))
    pixels = pad(pixels, {0, 0, 0}, {0, 0, 1}); // what -1 is the index of
  int64_t positions = numElements(shape.drop_front(2));
  Elements all = indices.reshape({x.dim(0), 1, positions})
                     .expand({x.dim(0), x.dim(1), positions});
  return gatherElements(pixels, all, 2).reshape(shape);
}

/// Values in f64 as integers, or the reason why one is none.
static FoldResult cutOff(const Elements &values, DataType type) {
  Elements whole = withoutNoise(values).materialize();
  if (auto outside = findOutOfRange(whole, type))
    return outside;
  return cast(whole, type);
}

static FoldResult foldGridSample(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Elements grid = cx.input(1);
  SamplingOptions options;
  bool nearest = false;
  if (auto wrong = readOptions(cx, options, nearest))
    return wrong;
  if (auto wrong = checkShapes(cx, x, grid))
    return wrong;
  Shape shape = {x.dim(0), x.dim(1)};
  shape.append(grid.shape().begin() + 1, grid.shape().end() - 1);
  if (auto limit = cx.checkResult(x.type(), shape))
    return limit;
  if (numElements(shape) == 0)
    return emptyTensor(x.type(), shape);
  if (x.size() == 0)
    return undefined("the input has shape " + toString(x.shape()));
  double taps =
      nearest ? 1 : std::pow(2 * options.filter.radius(), x.rank() - 2);
  if (auto limit = cx.checkWork(double(numElements(shape)) * taps, 40))
    return limit;
  grid = grid.unrounded();
  if (auto bad = firstWhere<double>(
          grid, [](double v) { return !(std::fabs(v) < 0x1p900); }))
    return undefined("grid element " + toString(indexOf(*bad, grid.shape())) +
                     " is not finite");
  if (nearest)
    return move(x, nearestToPoints(grid, x.shape().drop_front(2), options),
                shape);
  if (Reason unlike = checkFinite(cx, 0))
    return unlike;
  Elements y =
      linearInDouble(x, [&](auto e) { return samplePoints(e, grid, options); });
  return isInteger(x.type()) ? cutOff(y, x.type()) : y;
}

namespace onnxfold {
void registerGridSample(KernelRegistry &registry) {
  registry.add("GridSample", {16, 20, 22}, foldGridSample);
}
} // namespace onnxfold
