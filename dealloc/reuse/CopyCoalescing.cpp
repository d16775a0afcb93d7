//===- CopyCoalescing.cpp - Source and target of a copy in one buffer -----===//
// SPDX-License-Identifier: Apache-2.0
//
//   memref.copy %b, %a
// where the copy is the last use of %b (lastUseOfSource), is erased if the live
// ranges do not interfere otherwise:
// 1. %a is an allocation whose first use is the copy (isFirstUse): %a -> %b.
// 2. %a is defined before %b (isDefinedAt), no other value is a view of it, and
//    nothing uses it while %b is live (hasNoUseWhileLive): %b -> %a.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ir/internal/Views.h"
#include "onnxfold/dealloc/reuse/BufferReuse.h"
#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "onnxfold/dealloc/reuse/internal/Steps.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

/// The copied buffer, if the copy is its last use.
std::optional<LocalBuffer> lastUseOfSource(memref::CopyOp copy) {
  auto alloc = copy.getSource().getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != copy->getBlock())
    return std::nullopt;
  auto local = asLocalBuffer(alloc);
  if (!local || local->lastUse != copy)
    return std::nullopt;
  return local;
}

/// Whether the copy is the first use of `alloc`, in its block; a view of it is
/// a use. Adds to `owners` the earlier operations that only take its ownership,
/// because these move behind the copy.
bool isFirstUse(memref::AllocOp alloc, memref::CopyOp copy,
                SmallVectorImpl<Operation *> &owners) {
  Block *block = copy->getBlock();
  auto isLater = [&](Operation *user) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    return inBlock && !inBlock->isBeforeInBlock(copy);
  };
  if (alloc->getBlock() != block || !alloc->isBeforeInBlock(copy))
    return false;
  for (Operation *user : alloc->getUsers()) {
    if (isLater(user))
      continue;
    if (!isa<OwnOp>(user) || user->getBlock() != block ||
        !llvm::all_of(user->getUsers(), isLater))
      return false;
    owners.push_back(user);
  }
  return true;
}

bool replaceTarget(memref::CopyOp copy, LocalBuffer &source) {
  auto target = copy.getTarget().getDefiningOp<memref::AllocOp>();
  SmallVector<Operation *> owners;
  if (!target || target == source.alloc || !isFirstUse(target, copy, owners))
    return false;
  raiseAlignment(source.alloc, alignmentOf(target));
  for (Operation *owner : owners)
    owner->moveBefore(copy);
  source.dealloc->erase();
  copy->erase();
  target.replaceAllUsesWith(source.alloc.getResult());
  target->erase();
  return true;
}

/// Whether no other value is a view of this argument of a function.
bool isRestrict(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return false;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return false;
  auto attribute = function.getArgAttrOfType<BoolAttr>(argument.getArgNumber(),
                                                       restrictAttribute);
  return attribute && attribute.getValue();
}

/// Whether `target` is defined when `source` is allocated, with no operation
/// between them that may run its regions in parallel.
bool isDefinedAt(Value target, memref::AllocOp source) {
  Block *home = target.getParentBlock();
  Operation *current = source;
  while (current->getBlock() != home) {
    current = current->getParentOp();
    if (!current || !isSequential(current))
      return false;
  }
  Operation *definition = target.getDefiningOp();
  return !definition || definition->isBeforeInBlock(current);
}

/// Whether the live range of `source` has no use of `target` but the copy.
bool hasNoUseWhileLive(Value target, const LocalBuffer &source,
                       Operation *copy) {
  BufferUses uses = collectUses(target);
  if (!uses.complete)
    return false;
  Block *block = copy->getBlock();
  auto isOutside = [&](Operation *user) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    return !inBlock || inBlock == copy ||
           inBlock->isBeforeInBlock(source.alloc) ||
           copy->isBeforeInBlock(inBlock);
  };
  return llvm::all_of(uses.users, isOutside) &&
         llvm::all_of(uses.deallocs, isOutside);
}

bool replaceSource(memref::CopyOp copy, LocalBuffer &source) {
  Value target = copy.getTarget();
  auto alloc = target.getDefiningOp<memref::AllocOp>();
  int64_t alignment = alignmentOf(source.alloc);
  if (!alloc && (!isRestrict(target) || knownAlignment(target) < alignment))
    return false;
  if (!isDefinedAt(target, source.alloc) ||
      !hasNoUseWhileLive(target, source, copy))
    return false;
  if (alloc)
    raiseAlignment(alloc, alignment);
  source.dealloc->erase();
  copy->erase();
  source.alloc.replaceAllUsesWith(target);
  source.alloc->erase();
  return true;
}

} // namespace

void coalesceCopies(FunctionOpInterface function) {
  SmallVector<memref::CopyOp> copies;
  function->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    if (copy.getSource().getType() != copy.getTarget().getType())
      continue;
    auto source = lastUseOfSource(copy);
    if (source && !replaceTarget(copy, *source))
      replaceSource(copy, *source);
  }
}

} // namespace onnxfold::deallocation
