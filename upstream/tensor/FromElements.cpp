//===- FromElements.cpp - Constant kernel of tensor.from_elements -------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor of scalars, in row-major order.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;

static FoldResult foldTensorFromElements(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::FromElementsOp>(cx.operation());
  ShapeRef shape = op.getType().getShape();
  if (cx.numInputs() == 0)
    return Elements::splat(cx.resultType(), shape, WideNum::widen(int64_t(0)));
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    parts.push_back(cx.input(i).reshape({1}));
  return ops::concat(parts, 0).reshape(shape);
}

namespace onnxfold::upstream {
void registerTensorFromElements(KernelRegistry &registry) {
  registry.add("from_elements", {1}, foldTensorFromElements);
}
} // namespace onnxfold::upstream
