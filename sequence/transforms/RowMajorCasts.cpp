//===- RowMajorCasts.cpp - What loses its layout is row-major -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A cast checks no layout. The type of an unranked memref says none, and MLIR
// casts a view to an identity layout where sizes are not known: from
// strided<[3, 1]> to memref<?x?xf32>. So this is the one place where a memref
// becomes one without a layout, and what may have another one is copied.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/sequence/transforms/internal/Layouts.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace onnxfold::sequence {
#define GEN_PASS_DEF_ROWMAJORCASTSPASS
#include "onnxfold/sequence/transforms/Passes.h.inc"
} // namespace onnxfold::sequence

using namespace mlir;

/// A row-major copy of a ranked buffer.
static Value rowMajorCopy(OpBuilder &builder, Location location, Value source) {
  auto type = cast<MemRefType>(source.getType());
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      sizes.push_back(
          memref::DimOp::create(builder, location, source, axis).getResult());
  auto plain =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value copy = memref::AllocOp::create(builder, location, plain, sizes);
  memref::CopyOp::create(builder, location, source, copy);
  return copy;
}

static void keepLayout(memref::CastOp cast) {
  if (!onnxfold::sequence::losesLayout(cast.getSource().getType(),
                                       cast.getType()))
    return;
  OpBuilder builder(cast);
  cast.getSourceMutable().assign(
      rowMajorCopy(builder, cast.getLoc(), cast.getSource()));
}

/// A clone of a buffer that has a rank in truth is made with the rank: MLIR
/// lowers the other by a loop over the sizes, and folds these to sizes of the
/// ranked buffer, of which one of rank 0 has none.
static void cloneRanked(bufferization::CloneOp clone) {
  Value source = clone.getInput();
  // Canonicalization makes the cast a part of the clone.
  if (auto from = source.getDefiningOp<memref::CastOp>())
    source = from.getSource();
  auto type = dyn_cast<MemRefType>(source.getType());
  if (!type || !isa<UnrankedMemRefType>(clone.getType()))
    return;
  OpBuilder builder(clone);
  auto plain =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value ranked =
      bufferization::CloneOp::create(builder, clone.getLoc(), plain, source);
  Value cast =
      memref::CastOp::create(builder, clone.getLoc(), clone.getType(), ranked);
  clone.getOutput().replaceAllUsesWith(cast);
  clone.erase();
}

namespace {
struct RowMajorCastsPass
    : onnxfold::sequence::impl::RowMajorCastsPassBase<RowMajorCastsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto cast = dyn_cast<memref::CastOp>(op))
        keepLayout(cast);
      else if (auto clone = dyn_cast<bufferization::CloneOp>(op))
        cloneRanked(clone);
    });
  }
};
} // namespace
