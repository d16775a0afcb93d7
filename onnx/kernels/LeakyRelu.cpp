//===- LeakyRelu.cpp - Constant kernel of onnx.LeakyRelu ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// alpha * x below 0, x from there on. Spec: onnx LeakyRelu, versions 1, 6, 16
// (bfloat16). In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;

static FoldResult foldLeakyRelu(FoldContext &cx) {
  double alpha = cx.real("alpha").value_or(0.01f);
  return inDouble(cx.input(0),
                  [alpha](double v) { return v < 0 ? alpha * v : v; });
}

namespace onnxfold {
void registerLeakyRelu(KernelRegistry &registry) {
  registry.add("LeakyRelu", {1, 6, 16}, foldLeakyRelu);
}
} // namespace onnxfold
