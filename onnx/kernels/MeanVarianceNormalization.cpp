//===- MeanVarianceNormalization.cpp - Kernel of the operator -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// (X - mean) / (sqrt(variance) + 1e-9), with the moments over `axes` (by
// default 0, 2, 3). Spec: onnx MeanVarianceNormalization, versions 9, 13
// (bfloat16); the 1e-9, an f32, is only in the function body.
// Direct, more accurate than the body, whose variance E[X^2] - E[X]^2 cancels:
// in double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMeanVarianceNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkFloats(cx))
    return wrong;
  ReasonOr<Shape> axes =
      normalizedAxes(cx.ints("axes").value_or(Shape{0, 2, 3}), x.rank());
  if (!axes)
    return axes.reason();
  if (axes->empty()) // as ReduceMean has it
    *axes = firstAxes(x.rank());
  if (x.size() == 0)
    return x;
  Moments m = momentsOf(x, *axes);
  if (Reason lost = checkVariance(cx, m, 0))
    return lost;
  Elements deviation = mapAs<double, double>(
      m.variance, [](double v) { return std::sqrt(v) + 1e-9f; });
  return roundedResult(cx, dividedBy(m.centred, deviation));
}

namespace onnxfold {
void registerMeanVarianceNormalization(KernelRegistry &registry) {
  registry
      .add("MeanVarianceNormalization", {9, 13}, foldMeanVarianceNormalization)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
