//===- And.cpp - Constant kernel of onnx.And ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x and y on bool, broadcast. Spec: onnx And, versions 1 (attributes
// `broadcast` and `axis`), 7 (numpy broadcasting).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;

static FoldResult foldAnd(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::And);
  return foldLogical(cx, [](bool a, bool b) { return a && b; });
}

namespace onnxfold {
void registerAnd(KernelRegistry &registry) {
  registry.add("And", {1, 7}, foldAnd).movesSymbols();
}
} // namespace onnxfold
