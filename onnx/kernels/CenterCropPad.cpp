//===- CenterCropPad.cpp - Constant kernel of onnx.CenterCropPad ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The middle of a tensor, or the tensor in the middle of zeros. Spec: onnx
// CenterCropPad, version 18. Of an odd difference the smaller half is at the
// beginning. Direct, with the body's result.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldCenterCropPad(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape sizes(cx.intsOf(1));
  ReasonOr<Shape> axes =
      normalizedAxes(cx.ints("axes").value_or(firstAxes(x.rank())), x.rank());
  if (!axes)
    return axes.reason();
  if (cx.input(1).rank() != 1 || sizes.size() != axes->size() ||
      llvm::any_of(sizes, [](int64_t size) { return size < 0; }))
    return invalid("the shape is " + toString(sizes) + ", expected " +
                   llvm::Twine(axes->size()) + " sizes");
  Shape shape(x.shape()), begins(x.rank(), 0), ends(x.rank(), 0);
  for (auto [axis, size] : llvm::zip_equal(*axes, sizes)) {
    int64_t more = size - shape[axis];
    begins[axis] = more / 2; // towards 0, whether it crops or pads
    ends[axis] = more - begins[axis];
    shape[axis] = size;
  }
  if (auto limit = cx.checkResult(x.type(), shape))
    return limit;
  return pad(x, begins, ends);
}

namespace onnxfold {
void registerCenterCropPad(KernelRegistry &registry) {
  registry.add("CenterCropPad", {18}, foldCenterCropPad);
}
} // namespace onnxfold
