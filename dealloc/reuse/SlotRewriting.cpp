//===- SlotRewriting.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/SlotRewriting.h"

#include "onnxfold/dealloc/reuse/internal/Steps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

/// The operation before which a slot with this first buffer is allocated.
Operation *startOf(const LiveBuffer &buffer) {
  return buffer.hoistOver ? buffer.hoistOver : buffer.alloc;
}

/// The operation after which a slot whose last buffer this is can be freed.
Operation *endOf(const LiveBuffer &buffer) {
  return buffer.hoistOver ? buffer.hoistOver : buffer.lastUse;
}

/// One memref of i8, of which the buffers become views.
Value shareBytes(ArrayRef<LiveBuffer *> members, int64_t bytes) {
  LiveBuffer &first = *members.front();
  MLIRContext *context = first.alloc->getContext();
  OpBuilder builder(startOf(first));
  Location loc = first.alloc.getLoc();
  auto type = MemRefType::get({bytes}, IntegerType::get(context, 8),
                              MemRefLayoutAttrInterface(),
                              first.alloc.getType().getMemorySpace());
  auto memory = memref::AllocOp::create(builder, loc, type);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (LiveBuffer *member : members) {
    memref::AllocOp alloc = member->alloc;
    raiseAlignment(memory, alignmentOf(alloc));
    // malloc aligns for any number, which is not enough for vectors.
    Type element = alloc.getType().getElementType();
    if (isa<VectorType>(element))
      raiseAlignment(memory, *bytesOf(MemRefType::get({}, element)));
    builder.setInsertionPoint(alloc);
    Value view = memref::ViewOp::create(
        builder, alloc.getLoc(), alloc.getType(), memory, zero, ValueRange());
    alloc.replaceAllUsesWith(view);
    alloc->erase();
  }
  return memory;
}

/// The first buffer of a slot in place of the others, which have its type.
Value shareBuffer(ArrayRef<LiveBuffer *> members) {
  LiveBuffer &first = *members.front();
  if (!first.alloc) {
    Value value = first.dealloc.getMemref();
    for (LiveBuffer *member : members.drop_front()) {
      member->alloc.replaceAllUsesWith(value);
      member->alloc->erase();
    }
    return value;
  }
  if (first.hoistOver)
    first.alloc->moveBefore(first.hoistOver);
  for (LiveBuffer *member : members.drop_front()) {
    memref::AllocOp alloc = member->alloc;
    raiseAlignment(first.alloc, alignmentOf(alloc));
    alloc.replaceAllUsesWith(first.alloc.getResult());
    alloc->erase();
  }
  return first.alloc;
}

/// The bytes of a slot that are allocated only because buffers were hoisted.
int64_t hoistedBytesOf(ArrayRef<LiveBuffer *> members) {
  Amount hoisted, first;
  for (LiveBuffer *member : members) {
    if (member->hoistOver || (member->alloc && hoistedBytes(member->alloc)))
      hoisted = largest(hoisted, member->interval.amount());
    else if (member == members.front())
      first = member->interval.amount();
  }
  if (hoisted.all != hoisted.known)
    return first == hoisted ? 0 : ShapedType::kDynamic;
  return std::max<int64_t>(hoisted.known - first.known, 0);
}

} // namespace

void rewriteSlot(ArrayRef<LiveBuffer *> members, const Slot &slot) {
  LiveBuffer &last = *members.back();
  if (members.size() == 1 && !last.hoistOver) {
    // The pressure counts a buffer until its last use only.
    if (last.alloc && last.dealloc)
      last.dealloc->moveAfter(last.lastUse);
    return;
  }
  int64_t hoisted = hoistedBytesOf(members);
  Value memory = slot.uniform ? shareBuffer(members)
                              : shareBytes(members, slot.size.known);
  if (members.front()->alloc)
    setHoistedBytes(memory.getDefiningOp<memref::AllocOp>(), hoisted);
  for (LiveBuffer *member : members.drop_back())
    member->dealloc->erase();
  if (!last.dealloc)
    return; // a live-out buffer is freed where it ends up
  memref::DeallocOp dealloc = last.dealloc;
  dealloc.getMemrefMutable().assign(memory);
  dealloc->moveAfter(endOf(last));
}

} // namespace onnxfold::deallocation
