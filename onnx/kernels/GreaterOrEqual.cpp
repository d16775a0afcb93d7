//===- GreaterOrEqual.cpp - Constant kernel of onnx.GreaterOrEqual --------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x >= y, broadcast; false if either is NaN. Spec: onnx GreaterOrEqual,
// versions 12, 16.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGreaterOrEqual(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::GreaterOrEqual);
  return foldBinary(cx, [](const Elements &x, const Elements &y) {
    return zipTo<bool>(x, y, [](auto a, auto b) { return a >= b; });
  });
}

namespace onnxfold {
void registerGreaterOrEqual(KernelRegistry &registry) {
  registry.add("GreaterOrEqual", {12, 16}, foldGreaterOrEqual).movesSymbols();
}
} // namespace onnxfold
