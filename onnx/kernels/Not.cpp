//===- Not.cpp - Constant kernel of onnx.Not ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = not x. Spec: onnx Not, version 1. bool only.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldNot(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Not);
  const Elements &x = cx.input(0);
  if (x.type() != DataType::Bool)
    return Elements();
  return mapAs<bool, bool>(x, [](bool v) { return !v; });
}

namespace onnxfold {
void registerNot(KernelRegistry &registry) {
  registry.add("Not", {1}, foldNot).movesSymbols();
}
} // namespace onnxfold
