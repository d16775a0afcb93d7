//===- Elu.cpp - Constant kernel of onnx.Elu ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// alpha * (exp(x) - 1) below 0, x from there on. Spec: onnx Elu, versions 1, 6,
// 22 (bfloat16). In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldElu(FoldContext &cx) {
  double alpha = cx.real("alpha").value_or(1);
  return inDouble(cx.input(0), wide::expm1, [alpha](double v, double e) {
    return v < 0 ? alpha * e : v;
  });
}

namespace onnxfold {
void registerElu(KernelRegistry &registry) {
  registry.add("Elu", {1, 6, 22}, foldElu).costs(unitsOfFunction);
}
} // namespace onnxfold
