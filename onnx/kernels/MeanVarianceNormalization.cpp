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
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

/// A reason if E[X^2] - E[X]^2 in f32, as the body and ONNX Runtime have it,
/// loses the variance that the text's formula has.
static Reason checkVariance(FoldContext &cx, const Moments &m) {
  if (mustDecide(cx) || cx.input(0).type() == DataType::Float64)
    return {};
  constexpr double lost = 0x1p-16; // some hundred times the rounding of f32
  Elements isLost = zipAs<bool, double, double>(
      m.mean, m.variance, [](double mean, double variance) {
        return variance <= lost * mean * mean;
      });
  if (auto bad = firstWhere<bool>(isLost, [](bool b) { return b; }))
    return undefined("the variance of group " +
                     toString(indexOf(*bad, isLost.shape())) +
                     " is lost in f32 behind its mean, as in ONNX Runtime");
  return {};
}

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
  if (Reason lost = checkVariance(cx, m))
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
