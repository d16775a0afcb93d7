//===- Col2Im.cpp - Constant kernel of onnx.Col2Im ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Columns of blocks back into an image: what overlaps is added. Spec: onnx
// Col2Im, version 18. Floats and complex numbers in double, rounded once;
// integers wrap; bools are or-ed, as numpy adds them. Strings cannot be added: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldCol2Im(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (cx.input(1).rank() != 1 || cx.input(2).shape() != cx.input(1).shape())
    return invalid("image_shape has shape " + toString(cx.input(1).shape()) +
                   ", block_shape " + toString(cx.input(2).shape()) +
                   ", expected two vectors of one length");
  ReasonOr<SlidingWindows> windows =
      windowsOver(cx, cx.intsOf(1), cx.intsOf(2));
  if (!windows)
    return windows.reason();
  const SlidingWindows &w = *windows;
  int64_t taps = numElements(w.kernel);
  if (x.rank() != 3 || x.dim(1) % taps != 0 ||
      x.dim(2) != numElements(w.positions))
    return invalid("input #0 has shape " + toString(x.shape()) + ", expected " +
                   llvm::Twine(numElements(w.positions)) +
                   " columns of a multiple of " + llvm::Twine(taps));
  Shape shape = imageShape(x.dim(0), x.dim(1) / taps, w.image);
  if (auto limit = cx.checkResult(x.type(), shape))
    return limit;
  return sumOverlaps(x, w);
}

namespace onnxfold {
void registerCol2Im(KernelRegistry &registry) {
  registry.add("Col2Im", {18}, foldCol2Im);
}
} // namespace onnxfold
