//===- Neg.cpp - Constant kernel of onnx.Neg ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = -x, element by element. Spec: onnx Neg, versions 1, 6, 13.
// 0.0 becomes -0.0 and the smallest signed integer wraps to itself. Unsigned
// types are not allowed.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldNeg(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Negate);
  const Elements &x = cx.input(0);
  if (isUnsigned(x.type()))
    return Elements();
  return map(x, [](auto v) { return negate(v); });
}

namespace onnxfold {
void registerNeg(KernelRegistry &registry) {
  registry.add("Neg", {1, 6, 13}, foldNeg).movesSymbols();
}
} // namespace onnxfold
