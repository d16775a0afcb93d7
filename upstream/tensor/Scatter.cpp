//===- Scatter.cpp - Constant kernel of tensor.scatter ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor with slices at coordinates, which are the last dimension of the
// indices. A coordinate outside, or one that is there twice, is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorScatter(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::ScatterOp>(cx.operation());
  const Elements &x = cx.input(1);
  Elements indices = ops::cast(cx.input(2), DataType::Int64);
  ShapeRef dims = op.getScatterDims();
  if (Reason reason = checkCoordinates(indices, dims, x.shape()))
    return reason;
  Shape first = permutationTo(dims, x.rank());
  Elements target = x.transpose(first);
  if (auto twice = ops::firstRepeatedSlice(target, indices))
    return undefined("update " + llvm::Twine(*twice) +
                     " writes where another one does");
  Shape shape(indices.shape().drop_back());
  llvm::append_range(shape, target.shape().drop_front(dims.size()));
  return ops::scatterND(target, indices, cx.input(0).reshape(shape))
      .transpose(inverseOf(first));
}

namespace onnxfold::upstream {
void registerTensorScatter(KernelRegistry &registry) {
  registry.add("scatter", {1}, foldTensorScatter);
}
} // namespace onnxfold::upstream
