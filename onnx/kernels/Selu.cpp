//===- Selu.cpp - Constant kernel of onnx.Selu ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// gamma * alpha * (exp(x) - 1) up to 0, gamma * x from there on. Spec: onnx
// Selu, versions 1 (other default values), 6, 22 (bfloat16).
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSelu(FoldContext &cx) {
  bool first = cx.version() == 1;
  double alpha = cx.real("alpha").value_or(first ? 1.6732f : 1.67326319f);
  double gamma = cx.real("gamma").value_or(first ? 1.0507f : 1.05070102f);
  return inDouble(cx.input(0), wide::expm1, [=](double v, double e) {
    return v <= 0 ? gamma * (alpha * e) : gamma * v;
  });
}

namespace onnxfold {
void registerSelu(KernelRegistry &registry) {
  registry.add("Selu", {1, 6, 22}, foldSelu).costs(unitsOfFunction);
}
} // namespace onnxfold
