//===- Add.cpp - Constant kernel of onnx.Add ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x + y, broadcast. Spec: onnx Add, versions 1, 6 (attributes `broadcast`
// and `axis`), 7 (numpy broadcasting), 13, 14. Integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldAdd(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Add);
  return foldBinary(cx, [](const Elements &x, const Elements &y) {
    return zip(x, y, [](auto a, auto b) { return add(a, b); });
  });
}

namespace onnxfold {
void registerAdd(KernelRegistry &registry) {
  registry.add("Add", {1, 6, 7, 13, 14}, foldAdd).movesSymbols();
}
} // namespace onnxfold
