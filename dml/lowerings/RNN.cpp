//===- RNN.cpp - Lowering of onnx.RNN ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One gate, helper rnn_layer.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Recurrent.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerRNN(LoweringContext &cx) {
  return lowerRecurrent(cx, RecurrentKind::RNN);
}

namespace onnxfold::dml {
void registerRNNLowering(LoweringRegistry &registry) {
  registry.add("RNN", {7, 14, 22}, lowerRNN);
}
} // namespace onnxfold::dml
