//===- Greater.cpp - Constant kernel of onnx.Greater ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x > y, broadcast; false if either is NaN. Spec: onnx Greater, versions 1
// (attributes `broadcast` and `axis`), 7 (numpy broadcasting), 9 (all numeric
// types), 13.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldGreater(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Greater);
  return foldBinary(cx, [](const Elements &x, const Elements &y) {
    return zipTo<bool>(x, y, [](auto a, auto b) { return a > b; });
  });
}

namespace onnxfold {
void registerGreater(KernelRegistry &registry) {
  registry.add("Greater", {1, 7, 9, 13}, foldGreater).movesSymbols();
}
} // namespace onnxfold
