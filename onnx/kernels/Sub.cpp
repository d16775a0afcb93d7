//===- Sub.cpp - Constant kernel of onnx.Sub ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x - y, broadcast. Spec: onnx Sub, versions 1, 6 (attributes `broadcast`
// and `axis`), 7 (numpy broadcasting), 13, 14. Integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSub(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Subtract);
  return foldBinary(cx, [](const Elements &x, const Elements &y) {
    return zip(x, y, [](auto a, auto b) { return subtract(a, b); });
  });
}

namespace onnxfold {
void registerSub(KernelRegistry &registry) {
  registry.add("Sub", {1, 6, 7, 13, 14}, foldSub).movesSymbols();
}
} // namespace onnxfold
