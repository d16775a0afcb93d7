//===- Unsqueeze.cpp - Constant kernel of onnx.Unsqueeze ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// With more dimensions of size 1, as a view. Spec: onnx Unsqueeze, versions 1,
// 11 (axes: an attribute), 13 (an input), 21, 23, 24, 25. Axes are those of
// the result, in any order.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;

static FoldResult foldUnsqueeze(FoldContext &cx) {
  const Elements &x = cx.input(0);
  std::optional<Shape> given = attributeOrInput(cx, "axes", 1, 13);
  if (!given)
    return invalid("there are no axes");
  ReasonOr<Shape> axes = normalizedAxes(*given, x.rank() + given->size());
  if (!axes)
    return axes.reason();
  return x.unsqueeze(*axes);
}

namespace onnxfold {
void registerUnsqueeze(KernelRegistry &registry) {
  registry.add("Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, foldUnsqueeze)
      .movesSymbols(0);
}
} // namespace onnxfold
