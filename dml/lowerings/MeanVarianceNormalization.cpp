//===- MeanVarianceNormalization.cpp - Lowering of onnx.MeanVarianceNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// Less the mean, divided by the standard deviation plus 1e-9, over some axes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMeanVarianceNormalization(LoweringContext &cx) {
  Shape axes{0, 2, 3};
  if (auto given = cx.op().getInts("axes"))
    axes = Shape(std::move(*given));
  return lowerAlongAxes(cx, axes, [&](Expr x) {
    Expr d = cx.local("centered", x - call("rowMeans", {x}));
    Expr variance = call("rowMeans", {power(d, 2)});
    return d / (call("sqrt", {variance}) + 1e-9);
  });
}

namespace onnxfold::dml {
void registerMeanVarianceNormalizationLowering(LoweringRegistry &registry) {
  registry.add("MeanVarianceNormalization", {9, 13},
               lowerMeanVarianceNormalization);
}
} // namespace onnxfold::dml
