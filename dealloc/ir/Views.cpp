//===- Views.cpp - Which memref is a view of which ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/internal/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace onnxfold::deallocation {

Value viewedOperand(Operation *op) {
  // By name: memref.view and reinterpret_cast change the type of the elements,
  // and not every operation with ViewLikeOpInterface keeps the allocated
  // pointer (vendors' casts between memory spaces may not).
  if (isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
          memref::ExtractStridedMetadataOp, memref::MemorySpaceCastOp,
          memref::ReinterpretCastOp, memref::ReshapeOp, memref::SubViewOp,
          memref::TransposeOp, memref::ViewOp, memref::AssumeAlignmentOp>(op))
    return op->getOperand(0);
  return nullptr;
}

Value viewSource(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    Value source = viewedOperand(op);
    if (!source || !isMemRef(value))
      break;
    value = source;
  }
  return value;
}

} // namespace onnxfold::deallocation
