//===- ExtractSlice.cpp - Constant kernel of tensor.extract_slice -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements at offsets, sizes and strides, of which dimensions of size 1 may be
// dropped: a view. What lies outside is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorExtractSlice(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::ExtractSliceOp>(cx.operation());
  const Elements &x = cx.input(0);
  Slice slice = sliceOf(cx, 1);
  if (Reason reason = checkSlice(slice, x.shape()))
    return reason;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Shape shape;
  for (size_t d = 0; d < slice.sizes.size(); ++d)
    if (!dropped.test(d))
      shape.push_back(slice.sizes[d]);
  return x.slice(slice.starts, slice.sizes, slice.steps).reshape(shape);
}

namespace onnxfold::upstream {
void registerTensorExtractSlice(KernelRegistry &registry) {
  registry.add("extract_slice", {1}, foldTensorExtractSlice);
}
} // namespace onnxfold::upstream
