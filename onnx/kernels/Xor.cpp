//===- Xor.cpp - Constant kernel of onnx.Xor ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x xor y on bool, broadcast. Spec: onnx Xor, versions 1 (attributes
// `broadcast` and `axis`), 7 (numpy broadcasting).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;

static FoldResult foldXor(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Xor);
  return foldLogical(cx, [](bool a, bool b) { return a != b; });
}

namespace onnxfold {
void registerXor(KernelRegistry &registry) {
  registry.add("Xor", {1, 7}, foldXor).movesSymbols();
}
} // namespace onnxfold
