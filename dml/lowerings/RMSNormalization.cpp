//===- RMSNormalization.cpp - Lowering of onnx.RMSNormalization ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows are what is normalised; scale broadcast to the input.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerRMSNormalization(LoweringContext &cx) {
  return lowerLastAxesNormalization(cx, /*isCentered=*/false);
}

namespace onnxfold::dml {
void registerRMSNormalizationLowering(LoweringRegistry &registry) {
  registry.add("RMSNormalization", {23}, lowerRMSNormalization);
}
} // namespace onnxfold::dml
