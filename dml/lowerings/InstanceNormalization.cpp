//===- InstanceNormalization.cpp - Lowering of onnx.InstanceNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows are channels of one image.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerInstanceNormalization(LoweringContext &cx) {
  NormalizedRows n =
      normalizedRows(cx, cx.view(0, 2), cx.op().getFloat("epsilon", 1e-5f),
                     /*isCentered=*/true);
  auto [rows, columns] = naturalSizes(cx.result().dims);
  cx.define(0, scaledChannels(cx, cx.reshape(n.values, rows, columns).expr,
                              cx.matrix(1), cx.matrix(2)));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerInstanceNormalizationLowering(LoweringRegistry &registry) {
  registry.add("InstanceNormalization", {6, 22}, lowerInstanceNormalization);
}
} // namespace onnxfold::dml
