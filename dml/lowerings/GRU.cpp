//===- GRU.cpp - Lowering of onnx.GRU ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Gates z, r, h, helper gru_layer.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Recurrent.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGRU(LoweringContext &cx) {
  return lowerRecurrent(cx, RecurrentKind::GRU);
}

namespace onnxfold::dml {
void registerGRULowering(LoweringRegistry &registry) {
  registry.add("GRU", {7, 14, 22}, lowerGRU);
}
} // namespace onnxfold::dml
