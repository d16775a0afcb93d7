//===- LiveIntervals.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/LiveIntervals.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace onnxfold::deallocation {

SmallVector<LiveInterval> intervalsOf(ArrayRef<LiveBuffer> buffers) {
  return llvm::map_to_vector(
      buffers, [](const LiveBuffer &buffer) { return buffer.interval; });
}

std::vector<Amount> BlockLiveness::background() const {
  std::vector<Amount> sum = nested;
  for (auto [point, amount] : llvm::enumerate(results))
    sum[point] += amount;
  return sum;
}

/// One point, or one per region if they run one after the other.
void LivenessAnalysis::addPoints(BlockLiveness &liveness, Operation &op) {
  if (op.getNumRegions())
    liveness.regionOps.emplace_back(&op, liveness.nested.size());
  bool sequential = isSequential(&op);
  SmallVector<Amount> peaks(sequential ? op.getNumRegions() : 1);
  bool unknown = false;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    std::optional<FunctionMemory> callee = bounds.ofCallee(call);
    unknown = !callee;
    peaks[0] = callee.value_or(FunctionMemory()).peak;
  }
  for (Region &region : op.getRegions()) {
    unknown |= bounds.callsUnknown(region);
    for (Block &nested : region) {
      unsigned index = sequential ? region.getRegionNumber() : 0;
      peaks[index] += bounds.peak(nested);
    }
  }
  liveness.nested.insert(liveness.nested.end(), peaks.begin(), peaks.end());
  liveness.callsUnknown.resize(liveness.nested.size(), unknown);
  lastPoints[&op] = liveness.nested.size() - 1;
}

LiveInterval LivenessAnalysis::intervalOf(MemRefType type, ValueRange sizes,
                                          unsigned start, unsigned end,
                                          int64_t alignment) {
  std::vector<void *> key;
  for (Value size : sizes)
    key.push_back(size.getAsOpaquePointer());
  unsigned typeNumber =
      types.try_emplace({type.getAsOpaquePointer(), key}, types.size())
          .first->second;
  const void *spaceKey = type.getMemorySpace().getAsOpaquePointer();
  unsigned space = spaces.try_emplace(spaceKey, spaces.size()).first->second;
  std::optional<int64_t> bytes = bytesOf(type);
  bool viewable = bytes && *bytes > 0 && type.getLayout().isIdentity();
  return {start, end, sizeOf(type), alignment, typeNumber, space, viewable};
}

void LivenessAnalysis::addBuffers(BlockLiveness &liveness, Block &block) {
  unsigned end = liveness.nested.empty() ? 0 : liveness.nested.size() - 1;
  llvm::SmallPtrSet<Operation *, 16> local;
  SmallVector<LocalBuffer> unused;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    if (!alloc.getSymbolOperands().empty())
      continue;
    LiveInterval interval =
        intervalOf(alloc.getType(), alloc.getDynamicSizes(),
                   lastPoints.lookup(alloc), end, alignmentOf(alloc));
    auto buffer = asLocalBuffer(alloc);
    if (!buffer) {
      interval.liveOut = true;
      interval.viewable = false;
      liveness.buffers.push_back({interval, alloc, nullptr});
      continue;
    }
    local.insert(buffer->dealloc);
    if (buffer->lastUse == alloc) {
      unused.push_back(*buffer);
      continue;
    }
    interval.end = lastPoints.lookup(buffer->lastUse);
    liveness.buffers.push_back(
        {interval, alloc, buffer->dealloc, buffer->lastUse});
  }
  addLiveIns(liveness, block, local);
  for (LocalBuffer &buffer : unused) {
    buffer.dealloc->erase();
    buffer.alloc->erase();
  }
}

/// Adds the buffers that the block frees and did not allocate; `local` are the
/// deallocs of those that it did.
void LivenessAnalysis::addLiveIns(
    BlockLiveness &liveness, Block &block,
    const llvm::SmallPtrSetImpl<Operation *> &local) {
  for (auto dealloc : block.getOps<memref::DeallocOp>()) {
    auto type = dyn_cast<MemRefType>(dealloc.getMemref().getType());
    if (local.contains(dealloc) || !type || !type.hasStaticShape())
      continue;
    LiveInterval interval =
        intervalOf(type, {}, 0, lastPoints.lookup(dealloc),
                   knownAlignment(dealloc.getMemref(), &knownAlignments));
    interval.liveIn = true;
    liveness.buffers.push_back({interval, nullptr, dealloc, dealloc});
  }
}

/// A result of a call, a branch or a loop may be memory that was allocated
/// there, and an argument of a loop's block that of an earlier iteration.
void LivenessAnalysis::addResults(BlockLiveness &liveness, Block &block) {
  size_t points = liveness.nested.size();
  std::vector<Amount> change(points + 1);
  change[0] += bounds.carried(block);
  for (Operation &op : block) {
    if (!isa<CallOpInterface, RegionBranchOpInterface, bufferization::CloneOp,
             memref::ReallocOp>(op))
      continue;
    for (Value result : op.getResults()) {
      if (!isa<BaseMemRefType>(result.getType()))
        continue;
      unsigned end = points;
      for (Operation *user : result.getUsers())
        if (isa<memref::DeallocOp>(user) && user->getBlock() == &block)
          end = lastPoints.lookup(user);
      change[lastPoints.lookup(&op) + 1] += bounds.amountOf(result.getType());
      change[end] += Amount() - bounds.amountOf(result.getType());
    }
  }
  Amount live;
  for (size_t point = 0; point < points; ++point)
    liveness.results.push_back(live += change[point]);
}

BlockLiveness LivenessAnalysis::of(Block &block) {
  BlockLiveness liveness;
  for (Operation &op : block)
    addPoints(liveness, op);
  addResults(liveness, block);
  addBuffers(liveness, block);
  return liveness;
}

} // namespace onnxfold::deallocation
