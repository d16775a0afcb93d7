//===- Compress.cpp - Constant kernel of onnx.Compress --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The slices of an axis for which a condition is true; without an axis,
// elements of the flattened input. Spec: onnx Compress, versions 9, 11
// (negative axes), 28. A condition shorter than the axis drops the rest.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldCompress(FoldContext &cx) {
  bool flattens = !cx.hasAttribute("axis");
  const Elements &condition = cx.input(1);
  Elements x =
      flattens ? cx.input(0).reshape({cx.input(0).size()}) : cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
  if (!axis)
    return axis.reason();
  if (condition.rank() != 1 || condition.size() > x.dim(*axis))
    return invalid("the condition has shape " + toString(condition.shape()) +
                   ", axis " + llvm::Twine(*axis) + " has size " +
                   llvm::Twine(x.dim(*axis)));
  return compress(x, condition, *axis);
}

namespace onnxfold {
void registerCompress(KernelRegistry &registry) {
  registry.add("Compress", {9, 11, 28}, foldCompress)
      .movesSymbols(0)
      .costs(unitsOfReading);
}
} // namespace onnxfold
