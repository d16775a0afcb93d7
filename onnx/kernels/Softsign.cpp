//===- Softsign.cpp - Constant kernel of onnx.Softsign --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x / (1 + |x|). Spec: onnx Softsign, versions 1, 22 (bfloat16).
// In double, rounded once. Of infinities it is NaN, as the formula has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;

static FoldResult foldSoftsign(FoldContext &cx) {
  return inDouble(cx.input(0), [](double v) { return v / (1 + std::fabs(v)); });
}

namespace onnxfold {
void registerSoftsign(KernelRegistry &registry) {
  registry.add("Softsign", {1, 22}, foldSoftsign);
}
} // namespace onnxfold
