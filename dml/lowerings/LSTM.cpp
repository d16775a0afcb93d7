//===- LSTM.cpp - Lowering of onnx.LSTM ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Gates i, o, f, c, helper lstm_layer. clip limits the inputs of all activation
// functions, as the text has it; ONNX Runtime leaves out that of the cell.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Recurrent.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLSTM(LoweringContext &cx) {
  return lowerRecurrent(cx, RecurrentKind::LSTM);
}

namespace onnxfold::dml {
void registerLSTMLowering(LoweringRegistry &registry) {
  registry.add("LSTM", {7, 14, 22}, lowerLSTM);
}
} // namespace onnxfold::dml
