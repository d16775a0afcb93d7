//===- Generate.cpp - Constant kernel of tensor.generate ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements that a body computes from their indices; sizes are partly operands.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorGenerate(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::GenerateOp>(cx.operation());
  unsigned next = 0;
  Shape shape = mixed(cx, op.getType().getShape(), next);
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return undefined("a size is negative");
  return generated(cx, cx.resultType(), shape);
}

namespace onnxfold::upstream {
void registerTensorGenerate(KernelRegistry &registry) {
  registry.add("generate", {1}, foldTensorGenerate);
}
} // namespace onnxfold::upstream
