//===- Mul.cpp - Constant kernel of onnx.Mul ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x * y, broadcast. Spec: onnx Mul, versions 1, 6 (attributes `broadcast`
// and `axis`), 7 (numpy broadcasting), 13, 14. Integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMul(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Multiply);
  return foldBinary(cx, [](const Elements &x, const Elements &y) {
    return zip(x, y, [](auto a, auto b) { return multiply(a, b); });
  });
}

namespace onnxfold {
void registerMul(KernelRegistry &registry) {
  registry.add("Mul", {1, 6, 7, 13, 14}, foldMul).movesSymbols();
}
} // namespace onnxfold
