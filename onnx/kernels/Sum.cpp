//===- Sum.cpp - Constant kernel of onnx.Sum ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sum of all inputs, broadcast. Spec: onnx Sum, versions 1, 6 (equal
// shapes), 8 (numpy broadcasting), 13.
// From left to right, rounded after each addition, as the reference evaluator
// adds (an exact sum of many f16 would be another number).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSum(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Add);
  return foldVariadic(cx, [](const Elements &x, const Elements &y) {
    return zip(x, y, [](auto a, auto b) { return add(a, b); });
  });
}

namespace onnxfold {
void registerSum(KernelRegistry &registry) {
  registry.add("Sum", {1, 6, 8, 13}, foldSum).movesSymbols();
}
} // namespace onnxfold
