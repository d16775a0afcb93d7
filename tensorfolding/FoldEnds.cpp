//===- FoldEnds.cpp - Where work that runs once may end -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/FoldEnds.h"
#include "onnxfold/tensorfolding/internal/TensorSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace onnxfold {

using namespace mlir;

static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::BitcastOp, tensor::ReshapeOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, bufferization::ToTensorOp,
             ViewLikeOpInterface>(op);
}

/// A small slice of something computed: keeping it keeps less than its source.
static bool isSmallPart(Operation *op) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice)
    return false;
  TensorSize part = sizeOf(slice.getType());
  TensorSize whole = sizeOf(slice.getSourceType());
  if (part.dynamicDims != 0 || whole.dynamicDims != 0 ||
      part.bytes > whole.bytes / 2)
    return false;
  Operation *source = slice.getSource().getDefiningOp();
  while (source && isView(source))
    source = source->getOperand(0).getDefiningOp();
  return source && !source->hasTrait<OpTrait::ConstantLike>();
}

static bool isExtension(Operation *op) {
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op);
}

/// linalg.fill and what does the same, and sequences: nothing is read but
/// numbers.
static bool readsNoTensor(linalg::LinalgOp op) {
  return llvm::none_of(
             op.getDpsInputs(),
             [](Value input) { return isa<ShapedType>(input.getType()); }) &&
         llvm::none_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.payloadUsesValueFromOperand(&init);
         });
}

/// Every element of the one tensor that is read is written several times.
static bool isBroadcast(linalg::LinalgOp op) {
  if (isa<linalg::BroadcastOp>(op))
    return true;
  if (op.getNumParallelLoops() != op.getNumLoops())
    return false;
  unsigned tensors = 0, repeated = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<ShapedType>(input->get().getType())) {
      ++tensors;
      AffineMap map = op.getMatchingIndexingMap(input);
      repeated += map.isProjectedPermutation(/*allowZeroInResults=*/true) &&
                  map.getNumResults() < map.getNumDims();
    }
  return tensors == 1 && repeated == 1;
}

/// An element-wise operation whose body is nothing but an extension.
static bool isExtension(linalg::LinalgOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() || op->getNumRegions() != 1)
    return false;
  auto body = op.getBlock()->without_terminator();
  return llvm::hasSingleElement(body) && isExtension(&*body.begin());
}

FoldEnd foldEndOf(Operation *op) {
  if (isa<linalg::PackOp, linalg::UnPackOp, tensor::PadOp>(op))
    return FoldEnd::Packing;
  if (isView(op))
    return isSmallPart(op) ? FoldEnd::BySize : FoldEnd::Never;
  if (op->hasTrait<OpTrait::ConstantLike>() || isExtension(op) ||
      isa<tensor::EmptyOp, tensor::SplatOp>(op))
    return FoldEnd::Never;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    if (readsNoTensor(linalgOp) || isBroadcast(linalgOp) ||
        isExtension(linalgOp))
      return FoldEnd::Never;
  return FoldEnd::BySize;
}

bool isCheap(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp, tensor::SplatOp, linalg::FillOp,
          memref::GetGlobalOp>(op))
    return true;
  return op->getNumRegions() == 0 &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
}

} // namespace onnxfold
