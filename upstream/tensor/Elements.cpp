//===- Elements.cpp - Constant kernels of single elements in tensor -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tensors made of elements, and elements of tensors.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// One element. An index outside is undefined.
static FoldResult foldTensorExtract(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Slice slice{Shape(), Shape(x.rank(), 1), Shape(x.rank(), 1)};
  for (int64_t d = 0; d < x.rank(); ++d)
    slice.starts.push_back(upstream::indexOf(cx, d + 1));
  if (Reason reason = checkSlice(slice, x.shape()))
    return reason;
  return x.slice(slice.starts, slice.sizes, slice.steps).reshape({});
}

/// A tensor with another scalar at an index. One outside is undefined.
static FoldResult foldTensorInsert(FoldContext &cx) {
  const Elements &x = cx.input(1);
  Slice slice{Shape(), Shape(x.rank(), 1), Shape(x.rank(), 1)};
  for (int64_t d = 0; d < x.rank(); ++d)
    slice.starts.push_back(upstream::indexOf(cx, d + 2));
  if (Reason reason = checkSlice(slice, x.shape()))
    return reason;
  return insert(x, cx.input(0).reshape(slice.sizes), slice);
}

/// A tensor of scalars, in row-major order.
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

/// One value everywhere; sizes are partly operands.
static FoldResult foldTensorSplat(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::SplatOp>(cx.operation());
  unsigned next = 1;
  Shape shape = mixed(cx, op.getType().getShape(), next);
  if (Reason large = cx.checkResult(cx.resultType(), shape))
    return large;
  return cx.input(0).reshape({}).expand(shape);
}

/// Elements that a body computes from their indices; sizes are partly operands.
static FoldResult foldTensorGenerate(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::GenerateOp>(cx.operation());
  unsigned next = 0;
  Shape shape = mixed(cx, op.getType().getShape(), next);
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return undefined("a size is negative");
  return generated(cx, cx.resultType(), shape);
}

namespace onnxfold::upstream {
void registerTensorElements(KernelRegistry &registry) {
  registry.add("extract", {1}, foldTensorExtract);
  registry.add("insert", {1}, foldTensorInsert);
  registry.add("from_elements", {1}, foldTensorFromElements);
  registry.add("splat", {1}, foldTensorSplat);
  registry.add("generate", {1}, foldTensorGenerate);
}
} // namespace onnxfold::upstream
