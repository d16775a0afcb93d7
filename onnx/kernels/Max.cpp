//===- Max.cpp - Constant kernel of onnx.Max ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest of all inputs, broadcast. Spec: onnx Max, versions 1, 6 (equal
// shapes), 8 (numpy broadcasting), 12 (integers), 13.
// NaN if any is NaN, and of -0 and 0 the later one, as numpy's maximum has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMax(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Maximum);
  return foldVariadic(cx, [](const Elements &x, const Elements &y) {
    return zip(x, y, [](auto a, auto b) { return maximum(a, b); });
  });
}

namespace onnxfold {
void registerMax(KernelRegistry &registry) {
  registry.add("Max", {1, 6, 8, 12, 13}, foldMax).movesSymbols();
}
} // namespace onnxfold
