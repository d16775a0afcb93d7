//===- GRU.cpp - Constant kernel of onnx.GRU ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Gates z, r, h; by default f is Sigmoid and g is Tanh; (.) is element by
// element:
//   zt = f(Xt*(Wz^T) + Ht-1*(Rz^T) + Wbz + Rbz)
//   rt = f(Xt*(Wr^T) + Ht-1*(Rr^T) + Wbr + Rbr)
//   ht = g(Xt*(Wh^T) + (rt (.) Ht-1)*(Rh^T) + Rbh + Wbh)
//   ht = g(Xt*(Wh^T) + (rt (.) (Ht-1*(Rh^T) + Rbh)) + Wbh)
//                                             if linear_before_reset is not 0
//   Ht = (1 - zt) (.) ht + zt (.) Ht-1
// Spec: onnx GRU, versions 1, 3 (linear_before_reset), 7 (no output_sequence),
// 14 (layout), 22. In double, rounded once at the outputs; what the text is
// silent about: support/Recurrent.h.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Recurrent.h"

using namespace onnxfold;
using namespace onnxfold::ops;

enum GruGate { Z, R, H };

template <bool linearBeforeReset> static void stepGRU(RecurrentStep &s) {
  int64_t n = s.hidden;
  double *reset = s.scratch;
  s.addRecurrence(s.h, Z, 2, s.gate(0, Z), s.width);
  if (linearBeforeReset) {
    std::fill_n(reset, s.rows * n, 0.0);
    s.addRecurrence(s.h, H, 1, reset, n);
  } else {
    std::copy_n(s.h, s.rows * n, reset);
  }
  for (int64_t row = 0; row < s.rows; ++row) {
    double *r = s.gate(row, R), *h = s.gate(row, H);
    s.activate(0, s.gate(row, Z));
    s.activate(0, r);
    for (int64_t i = 0; i < n; ++i)
      reset[row * n + i] *= r[i];
    for (int64_t i = 0; linearBeforeReset && i < n; ++i)
      h[i] += reset[row * n + i];
  }
  if (!linearBeforeReset)
    s.addRecurrence(reset, H, 1, s.gate(0, H), s.width);
  for (int64_t row = 0; row < s.rows; ++row) {
    const double *z = s.gate(row, Z);
    double *h = s.gate(row, H), *state = s.h + row * n;
    s.activate(1, h);
    for (int64_t i = 0; i < n; ++i)
      state[i] = (1 - z[i]) * h[i] + z[i] * state[i];
  }
}

static FoldResult foldGRU(FoldContext &cx) {
  bool linearBeforeReset =
      cx.version() >= 3 && cx.integer("linear_before_reset").value_or(0) != 0;
  return foldRecurrent(
      cx, {.gates = 3,
           .activations = {"Sigmoid", "Tanh"},
           .step = linearBeforeReset ? stepGRU<true> : stepGRU<false>});
}

namespace onnxfold {
void registerGRU(KernelRegistry &registry) {
  registry.add("GRU", {1, 3, 7, 14, 22}, foldGRU);
}
} // namespace onnxfold
