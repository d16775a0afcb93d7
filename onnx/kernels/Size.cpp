//===- Size.cpp - Constant kernel of onnx.Size ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The number of elements as an i64 scalar. Spec: onnx Size, versions 1, 13,
// 19, 21, 23, 24, 25. Only the input's shape counts, so this folds where its
// value is not constant; dimensions that are not known are symbols.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"

using namespace onnxfold;

static FoldResult foldSize(FoldContext &cx) {
  auto dims = cx.inputShape(0);
  if (!dims)
    return notFolded(ReasonCode::InputNotConstant,
                     "the rank of input #0 is not known");
  DimExprs &exprs = cx.exprs();
  DimExpr size = exprs.constant(1);
  for (DimExpr d : *dims)
    size = exprs.multiply(size, d);
  return Elements::fromValues<DimExpr>({}, {size});
}

namespace onnxfold {
void registerSize(KernelRegistry &registry) {
  registry.add("Size", {1, 13, 19, 21, 23, 24, 25}, foldSize).ignoresValue(0);
}
} // namespace onnxfold
