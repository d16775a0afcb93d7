//===- Ceil.cpp - Constant kernel of onnx.Ceil ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smallest integer not below x. Spec: onnx Ceil, versions 1, 6, 13. NaN and
// infinities are kept; above -1 it is -0.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldCeil(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Ceil);
  return mapFloat(cx.input(0), [](auto v) { return std::ceil(v); });
}

namespace onnxfold {
void registerCeil(KernelRegistry &registry) {
  registry.add("Ceil", {1, 6, 13}, foldCeil).movesSymbols();
}
} // namespace onnxfold
