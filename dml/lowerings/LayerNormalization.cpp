//===- LayerNormalization.cpp - Lowering of onnx.LayerNormalization ------===//
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
