//===- Operations.cpp - Verifier and canonicalisation ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ir/internal/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace onnxfold::deallocation;

#define GET_OP_CLASSES
#include "onnxfold/dealloc/ir/DeallocationOps.cpp.inc"

//===----------------------------------------------------------------------===//
// get_buffer
//===----------------------------------------------------------------------===//

LogicalResult GetBufferOp::canonicalize(GetBufferOp op,
                                        PatternRewriter &rewriter) {
  Value source = op.getSource();
  // get_buffer(null) -> 0
  if (source.getDefiningOp<NullOp>()) {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, 0);
    return success();
  }
  // get_buffer(own(m)) -> get_buffer(m), get_buffer(view of m) -> get_buffer(m)
  auto own = source.getDefiningOp<OwnOp>();
  Value viewed = own ? own.getMemref() : viewSource(source);
  if (viewed == source)
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(viewed); });
  return success();
}

//===----------------------------------------------------------------------===//
// free
//===----------------------------------------------------------------------===//

LogicalResult FreeOp::canonicalize(FreeOp op, PatternRewriter &rewriter) {
  // free(null) -> nothing
  if (!op.getOwnership().getDefiningOp<NullOp>())
    return failure();
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// retain
//===----------------------------------------------------------------------===//

void RetainOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange retained, ValueRange allocations) {
  SmallVector<Type> types(retained.size(),
                          OwnershipType::get(builder.getContext()));
  build(builder, state, types, retained, allocations);
}

LogicalResult RetainOp::verify() {
  if (getNumResults() != getRetained().size())
    return emitOpError("has ")
           << getNumResults() << " results, expected one for each of the "
           << getRetained().size() << " retained memrefs";
  return success();
}

/// retain(..) of(a, null, a) -> retain(..) of(a)
static bool dropNullAndRepeated(RetainOp op, PatternRewriter &rewriter) {
  llvm::SetVector<Value> kept;
  for (Value allocation : op.getAllocations())
    if (!allocation.getDefiningOp<NullOp>())
      kept.insert(allocation);
  if (kept.size() == op.getAllocations().size())
    return false;
  rewriter.modifyOpInPlace(
      op, [&] { op.getAllocationsMutable().assign(kept.getArrayRef()); });
  return true;
}

/// retain(..) of() -> null for each
static bool replaceByNull(RetainOp op, PatternRewriter &rewriter) {
  if (!op.getAllocations().empty())
    return false;
  if (op.getRetained().empty()) {
    rewriter.eraseOp(op);
    return true;
  }
  Value none = NullOp::create(rewriter, op.getLoc());
  rewriter.replaceOp(op, SmallVector<Value>(op.getNumResults(), none));
  return true;
}

/// retain() of(a, b) -> retain() of(a), retain() of(b)
static bool split(RetainOp op, PatternRewriter &rewriter) {
  if (!op.getRetained().empty() || op.getAllocations().size() < 2)
    return false;
  for (Value allocation : op.getAllocations())
    RetainOp::create(rewriter, op.getLoc(), ValueRange(), allocation);
  rewriter.eraseOp(op);
  return true;
}

/// retain(m, rest..) of(own m, others..) -> own m, retain(rest..) of(others..)
/// The allocation that m is a view of is known, so it is nobody else's.
static bool forwardKnown(RetainOp op, PatternRewriter &rewriter) {
  SmallVector<Value> results(op.getNumResults()), retained, allocations;
  llvm::SmallDenseMap<Value, Value> ownerOf;
  for (Value allocation : op.getAllocations())
    if (auto own = allocation.getDefiningOp<OwnOp>())
      ownerOf.try_emplace(viewSource(own.getMemref()), allocation);
  llvm::SmallDenseSet<Value> given;
  SmallVector<unsigned> open;
  Value none;
  for (auto [index, memref] : llvm::enumerate(op.getRetained())) {
    auto owner = ownerOf.find(viewSource(memref));
    if (owner == ownerOf.end()) {
      open.push_back(index);
      retained.push_back(memref);
    } else if (given.insert(owner->second).second) {
      results[index] = owner->second;
    } else {
      if (!none)
        none = NullOp::create(rewriter, op.getLoc());
      results[index] = none;
    }
  }
  if (given.empty())
    return false;
  for (Value allocation : op.getAllocations())
    if (!given.contains(allocation))
      allocations.push_back(allocation);
  auto rest = RetainOp::create(rewriter, op.getLoc(), retained, allocations);
  for (auto [index, result] : llvm::zip_equal(open, rest.getOwnerships()))
    results[index] = result;
  rewriter.replaceOp(op, results);
  return true;
}

LogicalResult RetainOp::canonicalize(RetainOp op, PatternRewriter &rewriter) {
  return success(dropNullAndRepeated(op, rewriter) ||
                 replaceByNull(op, rewriter) || split(op, rewriter) ||
                 forwardKnown(op, rewriter));
}
