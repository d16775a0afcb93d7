//===- Min.cpp - Constant kernel of onnx.Min ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smallest of all inputs, broadcast. Spec: onnx Min, versions 1, 6 (equal
// shapes), 8 (numpy broadcasting), 12 (integers), 13.
// NaN if any is NaN, and of -0 and 0 the later one, as numpy's minimum has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMin(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Minimum);
  return foldVariadic(cx, [](const Elements &x, const Elements &y) {
    return zip(x, y, [](auto a, auto b) { return minimum(a, b); });
  });
}

namespace onnxfold {
void registerMin(KernelRegistry &registry) {
  registry.add("Min", {1, 6, 8, 12, 13}, foldMin).movesSymbols();
}
} // namespace onnxfold
