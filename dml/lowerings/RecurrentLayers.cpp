//===- RecurrentLayers.cpp - Lowerings of recurrent layers ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// See support/Recurrent.h.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Recurrent.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerRecurrentLayersLowering(LoweringRegistry &registry) {
  // Gates z, r, h, helper gru_layer.
  registry.add("GRU", {7, 14, 22}, [](LoweringContext &cx) {
    return lowerRecurrent(cx, RecurrentKind::GRU);
  });
  // Gates i, o, f, c, helper lstm_layer. clip limits the inputs of all
  // activation functions, as the text has it; ONNX Runtime leaves out that of
  // the cell.
  registry.add("LSTM", {7, 14, 22}, [](LoweringContext &cx) {
    return lowerRecurrent(cx, RecurrentKind::LSTM);
  });
  // One gate, helper rnn_layer.
  registry.add("RNN", {7, 14, 22}, [](LoweringContext &cx) {
    return lowerRecurrent(cx, RecurrentKind::RNN);
  });
}
} // namespace onnxfold::dml
