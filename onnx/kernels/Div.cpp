//===- Div.cpp - Constant kernel of onnx.Div ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x / y, broadcast; integers truncate towards zero. Spec: onnx Div,
// versions 1, 6, 7, 13, 14. Integer division by zero, and of the smallest
// integer by -1, are undefined: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Division.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldDiv(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Divide);
  return foldBinary(cx, [](const Elements &x, const Elements &y) -> FoldResult {
    if (Reason undefined = findUndefinedDivision(x, y))
      return undefined;
    return zip(x, y, [](auto a, auto b) { return decltype(a)(a / b); });
  });
}

namespace onnxfold {
void registerDiv(KernelRegistry &registry) {
  registry.add("Div", {1, 6, 7, 13, 14}, foldDiv).movesSymbols();
}
} // namespace onnxfold
