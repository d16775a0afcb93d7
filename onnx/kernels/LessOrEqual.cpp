//===- LessOrEqual.cpp - Constant kernel of onnx.LessOrEqual --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x <= y, broadcast; false if either is NaN. Spec: onnx LessOrEqual,
// versions 12, 16.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldLessOrEqual(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::LessOrEqual);
  return foldBinary(cx, [](const Elements &x, const Elements &y) {
    return zipTo<bool>(x, y, [](auto a, auto b) { return a <= b; });
  });
}

namespace onnxfold {
void registerLessOrEqual(KernelRegistry &registry) {
  registry.add("LessOrEqual", {12, 16}, foldLessOrEqual).movesSymbols();
}
} // namespace onnxfold
