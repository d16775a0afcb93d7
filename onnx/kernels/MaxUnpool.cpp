//===- MaxUnpool.cpp - Constant kernel of onnx.MaxUnpool ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Zeros with each element of x at the place that `indices`, which MaxPool made,
// gives it in the unpooled tensor, counted along rows. Spec: onnx MaxUnpool,
// versions 9, 11, 22. With output_shape `pads` is ignored, and the indices
// still count in the tensor that strides and kernel give, which lies at the
// beginning of the larger output: so do the stored tests. Of equal indices the
// last one wins.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A reason if an index lies outside of the unpooled tensor.
static Reason checkPlaces(const Elements &indices, int64_t size) {
  llvm::SmallVector<int64_t> list = indices.ints();
  for (auto [i, index] : llvm::enumerate(list))
    if (index < 0 || index >= size)
      return undefined("index " + llvm::Twine(index) + " at " +
                       toString(indexOf(i, indices.shape())) +
                       " is outside of " + llvm::Twine(size) + " elements");
  return {};
}

static FoldResult foldMaxUnpool(FoldContext &cx) {
  const Elements &x = cx.input(0), &indices = cx.input(1);
  if (indices.shape() != x.shape() || !isInteger(indices.type()))
    return invalid("the indices have shape " + toString(indices.shape()) +
                   ", expected " + toString(x.shape()) + " as input #0");
  ReasonOr<SlidingWindows> windows = readUnpooledWindows(cx, x, cx.hasInput(2));
  if (!windows)
    return windows.reason();
  const SlidingWindows &w = *windows;
  Shape shape = imageShape(x.dim(0), x.dim(1), w.image), output = shape;
  if (cx.hasInput(2))
    output = Shape(cx.intsOf(2));
  Shape none(shape.size(), 0), more;
  for (auto [size, wanted] : llvm::zip(shape, output))
    more.push_back(wanted - size);
  if (output.size() != shape.size() ||
      llvm::any_of(more, [](int64_t n) { return n < 0; }))
    return invalid("output_shape is " + toString(output) +
                   ", the unpooled tensor has shape " + toString(shape));
  if (auto limit = cx.checkResult(x.type(), output))
    return limit;
  int64_t size = numElements(shape);
  if (auto outside = checkPlaces(indices, size))
    return outside;
  Elements zeros = Elements::splat(x.type(), {size}, WideNum::widen(0.0f));
  Elements y = scatterElements(zeros, indices.reshape({x.size()}),
                               x.reshape({x.size()}), 0);
  return pad(y.reshape(shape), none, more);
}

namespace onnxfold {
void registerMaxUnpool(KernelRegistry &registry) {
  registry.add("MaxUnpool", {9, 11, 22}, foldMaxUnpool).costs(unitsOfReading);
}
} // namespace onnxfold
