//===- LSTM.cpp - Constant kernel of onnx.LSTM ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Gates i, o, f, c; by default f is Sigmoid, g and h are Tanh; (.) is element
// by element:
//   it = f(Xt*(Wi^T) + Ht-1*(Ri^T) + Pi (.) Ct-1 + Wbi + Rbi)
//   ft = f(Xt*(Wf^T) + Ht-1*(Rf^T) + Pf (.) Ct-1 + Wbf + Rbf), 1 - it if
//                                                          input_forget is 1
//   ct = g(Xt*(Wc^T) + Ht-1*(Rc^T) + Wbc + Rbc)
//   Ct = ft (.) Ct-1 + it (.) ct
//   ot = f(Xt*(Wo^T) + Ht-1*(Ro^T) + Po (.) Ct + Wbo + Rbo)
//   Ht = ot (.) h(Ct)
// Spec: onnx LSTM, versions 1, 7 (no output_sequence), 14 (layout), 22. `clip`
// bounds the input of all activations, of h too, as the text has it; ONNX
// Runtime leaves h out, so a node with `clip` is kept. In double, rounded once
// at the outputs; what the text
// is silent about: support/Recurrent.h.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Recurrent.h"

using namespace onnxfold;
using namespace onnxfold::ops;

enum LstmGate { I, O, F, C }; // the peepholes too have i, o, f

/// values += P (.) state
static void addPeephole(const RecurrentStep &s, LstmGate gate,
                        const double *state, double *values) {
  for (int64_t n = 0; s.p && n < s.hidden; ++n)
    values[n] += s.p[gate * s.hidden + n] * state[n];
}

template <bool coupled> static void stepLSTM(RecurrentStep &s) {
  s.addRecurrence(s.h, I, 4, s.gates, s.width);
  for (int64_t row = 0; row < s.rows; ++row) {
    double *i = s.gate(row, I), *o = s.gate(row, O), *f = s.gate(row, F),
           *c = s.gate(row, C);
    double *state = s.c + row * s.hidden, *h = s.h + row * s.hidden;
    addPeephole(s, I, state, i);
    s.activate(0, i);
    addPeephole(s, F, state, f);
    s.activate(0, f);
    s.activate(1, c);
    for (int64_t n = 0; n < s.hidden; ++n)
      state[n] = (coupled ? 1 - i[n] : f[n]) * state[n] + i[n] * c[n];
    addPeephole(s, O, state, o);
    s.activate(0, o);
    std::copy_n(state, s.hidden, h);
    s.activate(2, h);
    for (int64_t n = 0; n < s.hidden; ++n)
      h[n] *= o[n];
  }
}

static FoldResult foldLSTM(FoldContext &cx) {
  int64_t coupled = cx.integer("input_forget").value_or(0);
  if (coupled != 0 && coupled != 1)
    return invalid("attribute 'input_forget' is " + llvm::Twine(coupled));
  if (cx.real("clip") && !mustDecide(cx))
    return undefined("attribute 'clip' bounds the input of the third function "
                     "too, which ONNX Runtime does not bound");
  return foldRecurrent(cx, {.gates = 4,
                            .activations = {"Sigmoid", "Tanh", "Tanh"},
                            .step = coupled ? stepLSTM<true> : stepLSTM<false>,
                            .isLSTM = true});
}

namespace onnxfold {
void registerLSTM(KernelRegistry &registry) {
  registry.add("LSTM", {1, 7, 14, 22}, foldLSTM);
}
} // namespace onnxfold
