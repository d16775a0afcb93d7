//===- ExpandShape.cpp - Constant kernel of tensor.expand_shape ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Dimensions become several each, whose sizes are partly operands.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorExpandShape(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::ExpandShapeOp>(cx.operation());
  const Elements &x = cx.input(0);
  unsigned next = 1;
  Shape shape = mixed(cx, op.getStaticOutputShape(), next);
  std::optional<int64_t> count = checkedNumElements(shape);
  if (count != x.size())
    return undefined("the shape " + toString(shape) + " has not " +
                     llvm::Twine(x.size()) + " elements");
  return x.reshape(shape);
}

namespace onnxfold::upstream {
void registerTensorExpandShape(KernelRegistry &registry) {
  registry.add("expand_shape", {1}, foldTensorExpandShape);
}
} // namespace onnxfold::upstream
