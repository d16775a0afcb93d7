//===- Binarizer.cpp - Lowering of onnx.ml.Binarizer ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1 where x > threshold, 0 elsewhere (NaN too).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerBinarizer(LoweringContext &cx) {
  double threshold = cx.op().getFloat("threshold", 0);
  cx.define(0, Expr::binary(">", cx.matrix(0), threshold));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerBinarizerLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.Binarizer", {1}, lowerBinarizer);
}
} // namespace onnxfold::dml
