//===- Parts.cpp - Constant kernels of parts of tensors -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Slices, and what is joined of parts or picked by coordinates.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Tensors one after the other along a dimension.
static FoldResult foldTensorConcat(FoldContext &cx) {
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    parts.push_back(cx.input(i));
  return ops::concat(parts, cx.integer("dim").value_or(0));
}

/// Elements at offsets, sizes and strides, of which dimensions of size 1 may be
/// dropped: a view. What lies outside is undefined.
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

/// A tensor with another one at offsets, sizes and strides. What lies outside
/// is undefined.
static FoldResult foldTensorInsertSlice(FoldContext &cx) {
  const Elements &part = cx.input(0), &x = cx.input(1);
  Slice slice = sliceOf(cx, 2);
  if (Reason reason = checkSlice(slice, x.shape()))
    return reason;
  if (checkedNumElements(slice.sizes) != part.size())
    return undefined("its operand has shape " + toString(part.shape()) +
                     ", and its sizes are " + toString(slice.sizes));
  return insert(x, part.reshape(slice.sizes), slice);
}

/// Slices of a tensor at coordinates, which are the last dimension of the
/// indices. The dimensions that coordinates stand for have size 1 in the
/// result, or are dropped. A coordinate outside is undefined.
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

/// A tensor with slices at coordinates, which are the last dimension of the
/// indices. A coordinate outside, or one that is there twice, is undefined.
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
void registerTensorParts(KernelRegistry &registry) {
  registry.add("concat", {1}, foldTensorConcat);
  registry.add("extract_slice", {1}, foldTensorExtractSlice);
  registry.add("insert_slice", {1}, foldTensorInsertSlice);
  registry.add("gather", {1}, foldTensorGather);
  registry.add("scatter", {1}, foldTensorScatter);
}
} // namespace onnxfold::upstream
