//===- RNN.cpp - Constant kernel of onnx.RNN ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Ht = f(Xt*(Wi^T) + Ht-1*(Ri^T) + Wbi + Rbi), f by default Tanh. Spec: onnx
// RNN, versions 1, 7 (no output_sequence), 14 (layout), 22.
// In double, rounded once at the outputs; what the text is silent about:
// support/Recurrent.h.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Recurrent.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static void stepRNN(RecurrentStep &s) {
  s.addRecurrence(s.h, 0, 1, s.gates, s.width);
  for (int64_t row = 0; row < s.rows; ++row) {
    double *h = s.gate(row, 0);
    s.activate(0, h);
    std::copy_n(h, s.hidden, s.h + row * s.hidden);
  }
}

static FoldResult foldRNN(FoldContext &cx) {
  return foldRecurrent(cx,
                       {.gates = 1, .activations = {"Tanh"}, .step = stepRNN});
}

namespace onnxfold {
void registerRNN(KernelRegistry &registry) {
  registry.add("RNN", {1, 7, 14, 22}, foldRNN);
}
} // namespace onnxfold
