//===- SharedElements.cpp - Elements that need no copy --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Before references are counted: buffers that become elements are allocated as
// records, elements that move from sequence to sequence are the same records
// there, and buffers of records that leave their block are copied, because
// nothing there could release the record.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/transforms/internal/Ownership.h"

#include "onnxfold/sequence/Dialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace onnxfold::sequence;

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

/// Whether a result of an operation may share memory with its operands.
static bool mayAlias(Operation *op, Value result) {
  if (!isBuffer(result) || isa<CallOpInterface>(op))
    return false; // functions return buffers of their own (after deallocation)
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return !effects || !effects.getEffectOnValue<MemoryEffects::Allocate>(result);
}

BufferUses onnxfold::sequence::usesOfBuffer(Value buffer) {
  BufferUses uses;
  SmallVector<Value> queue = {buffer};
  llvm::DenseSet<Value> seen = {buffer};
  while (!queue.empty()) {
    Value value = queue.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>() ||
          isa<RegionBranchOpInterface>(user))
        uses.leaves = true;
      uses.users.push_back(user);
      for (Value result : user->getResults())
        if (mayAlias(user, result) && seen.insert(result).second)
          queue.push_back(result);
    }
  }
  uses.values = std::move(seen);
  return uses;
}

/// The buffer that a value is, under other types.
static Value throughCasts(Value buffer) {
  while (auto cast = buffer.getDefiningOp<memref::CastOp>())
    buffer = cast.getSource();
  return buffer;
}

/// Whether `user` may write to one of the buffers, as far as it says.
static bool mayWrite(Operation *user, const llvm::DenseSet<Value> &buffers) {
  if (isa<ViewLikeOpInterface>(user) || isMemoryEffectFree(user))
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(user);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [&](MemoryEffects::EffectInstance &effect) {
    return !isa<MemoryEffects::Read>(effect.getEffect()) &&
           (!effect.getValue() || buffers.contains(effect.getValue()));
  });
}

/// Whether a buffer may be a record from the beginning: it does not leave its
/// block, and nothing writes to it after `copy`.
static bool canBeRecord(memref::AllocOp alloc, RecordCopyOp copy) {
  MemRefType type = alloc.getType();
  if (!type.getLayout().isIdentity() || type.getMemorySpace() ||
      alloc->getBlock() != copy->getBlock() ||
      !alloc.getSymbolOperands().empty() || alloc.getAlignment() > 64)
    return false;
  BufferUses uses = usesOfBuffer(alloc);
  if (uses.leaves)
    return false;
  for (Operation *user : uses.users) {
    if (isa<memref::DeallocOp, bufferization::DeallocOp>(user))
      return false;
    Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*user);
    if (copy->isBeforeInBlock(ancestor) && mayWrite(user, uses.values))
      return false;
  }
  return true;
}

static bool shareRecord(RecordCopyOp copy) {
  Value buffer = throughCasts(copy.getSource());
  Value record;
  OpBuilder builder(copy);
  if (auto view = buffer.getDefiningOp<RecordViewOp>()) {
    record = view.getRecord();
  } else if (auto alloc = buffer.getDefiningOp<memref::AllocOp>();
             alloc && canBeRecord(alloc, copy)) {
    builder.setInsertionPoint(alloc);
    record = RecordAllocOp::create(builder, alloc.getLoc(),
                                   RecordType::get(builder.getContext()),
                                   alloc.getDynamicSizes(), alloc.getType());
    Value view = RecordViewOp::create(builder, alloc.getLoc(), alloc.getType(),
                                      record, /*checked=*/false);
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  } else {
    return false;
  }
  copy.replaceAllUsesWith(record);
  copy.erase();
  return true;
}

void onnxfold::sequence::shareElements(Operation *function) {
  SmallVector<RecordCopyOp> copies;
  function->walk([&](RecordCopyOp copy) { copies.push_back(copy); });
  for (RecordCopyOp copy : copies)
    shareRecord(copy);

  SmallVector<RecordViewOp> views;
  function->walk([&](RecordViewOp view) { views.push_back(view); });
  for (RecordViewOp view : views) {
    if (!usesOfBuffer(view.getBuffer()).leaves)
      continue;
    OpBuilder builder(view);
    builder.setInsertionPointAfter(view);
    auto clone = bufferization::CloneOp::create(builder, view.getLoc(),
                                                view.getBuffer());
    view.getBuffer().replaceAllUsesExcept(clone, clone);
  }
}
