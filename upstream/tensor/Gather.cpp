//===- Gather.cpp - Constant kernel of tensor.gather --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Slices of a tensor at coordinates, which are the last dimension of the
// indices. The dimensions that coordinates stand for have size 1 in the
// result, or are dropped. A coordinate outside is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorGather(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::GatherOp>(cx.operation());
  const Elements &x = cx.input(0);
  Elements indices = ops::cast(cx.input(1), DataType::Int64);
  ShapeRef dims = op.getGatherDims();
  if (Reason reason = checkCoordinates(indices, dims, x.shape()))
    return reason;
  Elements slices =
      ops::gatherND(x.transpose(permutationTo(dims, x.rank())), indices);
  Shape shape(indices.shape().drop_back());
  bool dropsDims =
      op.getResultType().getRank() != int64_t(shape.size()) + x.rank();
  for (int64_t d = 0; d < x.rank(); ++d)
    if (!llvm::is_contained(dims, d))
      shape.push_back(x.dim(d));
    else if (!dropsDims)
      shape.push_back(1);
  return slices.reshape(shape);
}

namespace onnxfold::upstream {
void registerTensorGather(KernelRegistry &registry) {
  registry.add("gather", {1}, foldTensorGather);
}
} // namespace onnxfold::upstream
