//===- Less.cpp - Constant kernel of onnx.Less ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x < y, broadcast; false if either is NaN. Spec: onnx Less, versions 1
// (attributes `broadcast` and `axis`), 7 (numpy broadcasting), 9 (all numeric
// types), 13.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldLess(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Less);
  return foldBinary(cx, [](const Elements &x, const Elements &y) {
    return zipTo<bool>(x, y, [](auto a, auto b) { return a < b; });
  });
}

namespace onnxfold {
void registerLess(KernelRegistry &registry) {
  registry.add("Less", {1, 7, 9, 13}, foldLess).movesSymbols();
}
} // namespace onnxfold
