//===- Normalizer.cpp - Lowering of onnx.ml.Normalizer -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows divided by their largest element (MAX), the sum of their magnitudes (L1),
// or their length (L2); where that is 0, by nothing.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Scores.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerNormalizer(LoweringContext &cx) {
  View x = featuresOf(cx);
  llvm::StringRef norm = cx.op().getString("norm", "MAX");
  if (cx.input(0).rank() > 2 || x.columns.perBatch)
    return Lowered::refused("the input is not a matrix of known columns");
  Expr divisor = norm == "MAX" ? call("rowMaxs", {x.expr})
                 : norm == "L1"
                     ? call("rowSums", {call("abs", {x.expr})})
                     : call("sqrt", {call("rowSums", {power(x.expr, 2)})});
  divisor = cx.local("norm", divisor);
  cx.define(0, x.expr / choice(Expr::binary("==", divisor, 0), 1, divisor));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerNormalizerLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.Normalizer", {1}, lowerNormalizer);
}
} // namespace onnxfold::dml
