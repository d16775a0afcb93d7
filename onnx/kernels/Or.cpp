//===- Or.cpp - Constant kernel of onnx.Or --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x or y on bool, broadcast. Spec: onnx Or, versions 1 (attributes
// `broadcast` and `axis`), 7 (numpy broadcasting).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;

static FoldResult foldOr(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Or);
  return foldLogical(cx, [](bool a, bool b) { return a || b; });
}

namespace onnxfold {
void registerOr(KernelRegistry &registry) {
  registry.add("Or", {1, 7}, foldOr).movesSymbols();
}
} // namespace onnxfold
