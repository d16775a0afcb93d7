//===- Splat.cpp - Constant kernel of tensor.splat ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One value everywhere; sizes are partly operands.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorSplat(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::SplatOp>(cx.operation());
  unsigned next = 1;
  Shape shape = mixed(cx, op.getType().getShape(), next);
  if (Reason large = cx.checkResult(cx.resultType(), shape))
    return large;
  return cx.input(0).reshape({}).expand(shape);
}

namespace onnxfold::upstream {
void registerTensorSplat(KernelRegistry &registry) {
  registry.add("splat", {1}, foldTensorSplat);
}
} // namespace onnxfold::upstream
