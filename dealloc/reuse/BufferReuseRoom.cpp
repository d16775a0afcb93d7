//===- BufferReuseRoom.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/BufferReuseRoom.h"

#include "onnxfold/dealloc/reuse/internal/BufferReuseSteps.h"

using namespace mlir;

namespace onnxfold::deallocation {

/// What a buffer was before it became larger for others that share it: no more
/// than the smallest of them.
static Amount heldFor(memref::AllocOp alloc, const Interval &interval) {
  Amount least = interval.amount();
  for (Operation *user : alloc->getUsers())
    if (auto view = dyn_cast<memref::ViewOp>(user))
      if (std::optional<int64_t> bytes = bytesOf(view.getType());
          bytes && *bytes < least.known)
        least = Amount::ofBytes(*bytes);
  return least;
}

std::vector<Amount> Room::freedByTime(const Lives &lives) const {
  std::vector<Amount> freed(lives.others.size());
  for (auto [interval, buffer] : lives.lives)
    if (interval.given && interval.end + 1 < freed.size() &&
        !doubled.contains(buffer.dealloc.getMemref().getDefiningOp()))
      freed[interval.end + 1] += interval.size;
  for (size_t time = 1; time < freed.size(); ++time)
    freed[time] += freed[time - 1];
  return freed;
}

std::vector<Amount> Room::heldByTime(const Lives &lives) const {
  std::vector<Amount> held(lives.others.size());
  for (auto [interval, buffer] : lives.lives)
    if (!interval.given && !buffer.hoistOver && !hoistedBytes(buffer.alloc))
      held[interval.start] += heldFor(buffer.alloc, interval);
  Amount sum;
  for (auto [amount, freed, result] :
       llvm::zip(held, freedByTime(lives), lives.results))
    amount = (sum += amount) + freed + result;
  return held;
}

std::vector<Amount> Room::inStep(const Lives &lives) const {
  std::vector<Amount> sum = heldByTime(lives);
  for (auto [amount, other] : llvm::zip(sum, lives.others))
    amount += other;
  for (auto [op, time] : lives.regionOps)
    if (lifted.contains(op))
      for (unsigned at = time;
           at < sum.size() && at < time + op->getNumRegions(); ++at)
        sum[at] = sum[at] - lives.others[at];
  return sum;
}

BlockRoom Room::of(Block &block, const Lives &lives) const {
  BlockRoom room;
  // Spare loop-carried buffers are there, but not in upstream's program.
  Amount spares = memory.carried(block) - memory.broughtIn(block);
  room.inStep = inStep(lives);
  std::vector<Amount> freed = freedByTime(lives);
  Amount own = heldByTime(lives).back() - freed.back() - lives.results.back();
  for (auto [amount, already, result] :
       llvm::zip(room.inStep, freed, lives.results)) {
    amount = amount - spares;
    room.atOnce.push_back(own + already + result - spares);
  }
  room.added = lives.results.back() - memory.carried(block);
  for (const Life &life : lives.lives) {
    Buffer buffer = life.buffer;
    if (life.interval.escapes)
      room.added += life.interval.amount();
    else if (life.interval.given &&
             isa<BlockArgument>(buffer.dealloc.getMemref()))
      room.added = room.added - life.interval.size;
  }
  if (!memory.freesInside(block)) {
    Amount least;
    for (const Life &life : lives.lives)
      if (life.interval.escapes)
        least += life.interval.size;
    for (auto dealloc : block.getOps<memref::DeallocOp>())
      if (freesFromOutside(dealloc))
        least = least - memory.amountOf(dealloc.getMemref().getType());
    room.leastAdded = least;
  }
  return room;
}

/// What upstream has when the other region of the loop runs: before this one,
/// and where this is the first also after it.
std::optional<Amount> Room::heldInTurn(Block &block, const BlockRoom &room,
                                       const BlockRoom *other) const {
  if (!other)
    return std::nullopt;
  bool isFirst = block.getParent()->getRegionNumber() == 0;
  Operation *loop = block.getParentOp();
  Amount held = memory.held(loop->getRegion(isFirst ? 1 : 0).front()).certain +
                memory.broughtIn(block);
  Amount earlier = held - other->added;
  if (!isFirst)
    return earlier;
  if (!room.leastAdded)
    return std::nullopt;
  return smallest(earlier, held + *room.leastAdded);
}

bool Room::isInside(Block &block, const BlockRoom &room,
                    ArrayRef<Amount> inside, Amount around,
                    const BlockRoom *other) const {
  Amount certain = memory.certainLimit(block);
  Amount whole = memory.wholeLimit(block);
  std::optional<Amount> inTurn = heldInTurn(block, room, other);
  for (auto [time, amount] : llvm::enumerate(inside)) {
    Amount sum = amount + around;
    if (!(sum <= room.inStep[time] || sum <= room.atOnce[time] ||
          sum <= certain || sum <= whole || (inTurn && sum <= *inTurn)))
      return false;
  }
  return true;
}

} // namespace onnxfold::deallocation
