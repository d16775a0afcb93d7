//===- LayerNormalization.cpp - Lowering of onnx.LayerNormalization ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows are what is normalised; scale and bias broadcast to the input.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLayerNormalization(LoweringContext &cx) {
  return lowerLastAxesNormalization(cx, /*isCentered=*/true);
}

namespace onnxfold::dml {
void registerLayerNormalizationLowering(LoweringRegistry &registry) {
  registry.add("LayerNormalization", {17}, lowerLayerNormalization);
}
} // namespace onnxfold::dml
