//===- CollapseShape.cpp - Constant kernel of tensor.collapse_shape -----===//
// SPDX-License-Identifier: Apache-2.0
//
// Groups of dimensions become one each.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;

static FoldResult foldTensorCollapseShape(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::CollapseShapeOp>(cx.operation());
  const Elements &x = cx.input(0);
  Shape shape;
  for (const auto &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t d : group)
      shape.back() *= x.dim(d);
  }
  return x.reshape(shape);
}

namespace onnxfold::upstream {
void registerTensorCollapseShape(KernelRegistry &registry) {
  registry.add("collapse_shape", {1}, foldTensorCollapseShape);
}
} // namespace onnxfold::upstream
