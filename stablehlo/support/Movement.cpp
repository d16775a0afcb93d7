//===- Movement.cpp - Elements in other places ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/support/Movement.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::hlo;
using llvm::Twine;

FoldResult hlo::broadcastIn(const Elements &x, ShapeRef dims, ShapeRef shape) {
  int64_t rank = shape.size();
  if (int64_t(dims.size()) != x.rank())
    return invalid("'broadcast_dimensions' has " + Twine(dims.size()) +
                   " elements, expected " + Twine(x.rank()));
  if (Reason wrong = checkDimensions(dims, rank, "broadcast_dimensions"))
    return wrong;
  for (auto [d, dim] : llvm::enumerate(dims))
    if (x.dim(d) != 1 && x.dim(d) != shape[dim])
      return invalid("shape " + toString(x.shape()) +
                     " does not broadcast to " + toString(shape) + " by " +
                     toString(dims));
  // The dimensions of x in the order of the result.
  Shape order(x.rank());
  for (int64_t d = 0; d < x.rank(); ++d)
    order[d] = d;
  llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
  Shape spread(rank, 1);
  for (auto [d, dim] : llvm::enumerate(dims))
    spread[dim] = x.dim(d);
  return x.transpose(order).reshape(spread).expand(shape);
}

FoldResult hlo::sliced(const Elements &x, ShapeRef starts, ShapeRef limits,
                       ShapeRef steps) {
  Shape sizes;
  for (int64_t d = 0; d < x.rank(); ++d) {
    if (starts[d] < 0 || starts[d] > limits[d] || limits[d] > x.dim(d) ||
        steps[d] < 1)
      return invalid("the slice from " + toString(starts) + " to " +
                     toString(limits) + " by " + toString(steps) +
                     " is not inside of " + toString(x.shape()));
    sizes.push_back(
        llvm::divideCeil(uint64_t(limits[d] - starts[d]), uint64_t(steps[d])));
  }
  return x.slice(starts, sizes, steps);
}

FoldResult hlo::padded(FoldContext &cx, const Elements &x, const Elements &fill,
                       const Padding &padding) {
  Shape dilated, steps, shape;
  bool isDilated = false;
  for (int64_t d = 0; d < x.rank(); ++d) {
    int64_t between, size, step;
    if (padding.interior[d] < 0 ||
        llvm::MulOverflow(std::max<int64_t>(x.dim(d) - 1, 0),
                          padding.interior[d], between) ||
        llvm::AddOverflow(x.dim(d), between, size) ||
        llvm::AddOverflow<int64_t>(padding.interior[d], 1, step))
      return invalid("the interior padding is " + toString(padding.interior));
    dilated.push_back(size);
    steps.push_back(step);
    isDilated |= between > 0;
    if (llvm::AddOverflow(size, padding.low[d], size) ||
        llvm::AddOverflow(size, padding.high[d], size) || size < 0)
      return invalid("the padding is " + toString(padding.low) + " and " +
                     toString(padding.high));
    shape.push_back(size);
  }
  for (const Shape &made : {dilated, shape})
    if (Reason large = cx.checkResult(x.type(), made))
      return large;
  if (numElements(shape) == 0)
    return fill.reshape({}).expand(shape);
  Elements spread = x;
  if (isDilated)
    spread = upstream::insert(fill.reshape({}).expand(dilated), x,
                              {Shape(x.rank(), 0), Shape(x.shape()), steps});
  // Cropping may leave nothing of x, which ops::pad is not asked for.
  Shape low(padding.low), high(padding.high);
  for (int64_t d = 0; d < x.rank(); ++d)
    if (low[d] <= -dilated[d] || high[d] <= -dilated[d])
      return fill.reshape({}).expand(shape);
  return ops::pad(spread, low, high, ops::PadMode::Constant, fill.reshape({}));
}

int64_t hlo::numPositions(int64_t size, int64_t window, int64_t dilation,
                          int64_t stride) {
  int64_t span;
  if (llvm::MulOverflow(window - 1, dilation, span) || span >= size)
    return 0;
  return (size - span - 1) / stride + 1;
}

Elements hlo::asIndices(const Elements &x) {
  if (x.type() != DataType::UInt64)
    return ops::cast(x, DataType::Int64);
  return ops::mapAs<int64_t, uint64_t>(x, [](uint64_t a) {
    return int64_t(std::min<uint64_t>(a, std::numeric_limits<int64_t>::max()));
  });
}

ReasonOr<Shape> hlo::clampedStart(FoldContext &cx, unsigned first,
                                  ShapeRef shape, ShapeRef sizes) {
  if (Reason wrong = checkCount(cx, first + shape.size()))
    return wrong;
  Shape start;
  for (size_t d = 0; d < shape.size(); ++d) {
    const Elements &index = cx.input(first + d);
    if (index.size() != 1 || !isInteger(index.type()))
      return invalid("operand #" + Twine(first + d) + " is no index");
    if (sizes[d] < 0 || sizes[d] > shape[d])
      return invalid("a slice of " + toString(sizes) + " is not inside of " +
                     toString(shape));
    start.push_back(std::clamp<int64_t>(asIndices(index).value<int64_t>(), 0,
                                        shape[d] - sizes[d]));
  }
  return start;
}

Elements hlo::counterAlong(int64_t dim, int64_t size, int64_t rank) {
  Shape shape(rank, 1);
  shape[dim] = size;
  return ops::iota(shape, dim);
}

Elements hlo::rowMajorNumbers(llvm::ArrayRef<Elements> indices,
                              ShapeRef shape) {
  Shape strides = rowMajorStrides(shape);
  Elements numbers = Elements::splat<int64_t>({}, 0);
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    numbers = ops::zipAs<int64_t, int64_t, int64_t>(
        numbers, index, [by = stride](int64_t sum, int64_t i) {
          return ops::add(sum, ops::multiply(i, by)); // of any index
        });
  return numbers;
}
