//===- Abs.cpp - Constant kernel of onnx.Abs ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = |x|, element by element. Spec: onnx Abs, versions 1, 6, 13.
// -0 becomes 0; the smallest signed integer wraps to itself, as numpy has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldAbs(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Absolute);
  return map(cx.input(0), [](auto v) { return absolute(v); });
}

namespace onnxfold {
void registerAbs(KernelRegistry &registry) {
  registry.add("Abs", {1, 6, 13}, foldAbs).movesSymbols();
}
} // namespace onnxfold
