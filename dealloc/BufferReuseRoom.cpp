//===- BufferReuseRoom.cpp ------------------------------------------------===//
#include "onnxfold/dealloc/BufferReuseRoom.h"

#include "onnxfold/dealloc/BufferReuseSteps.h"

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

std::vector<Amount> Room::heldByTime(const Lives &lives) const {
  std::vector<Amount> held(lives.others.size());
  for (const Life &life : lives.lives) {
    const Interval &interval = life.interval;
    Buffer buffer = life.buffer;
    if (buffer.hoistOver || (buffer.alloc && hoistedBytes(buffer.alloc)))
      continue;
    if (!interval.given)
      held[interval.start] += heldFor(buffer.alloc, interval);
    else if (interval.end + 1 < held.size() &&
             !doubled.contains(buffer.dealloc.getMemref().getDefiningOp()))
      held[interval.end + 1] += interval.size;
  }
  Amount sum;
  for (auto [amount, result] : llvm::zip(held, lives.results))
    amount = (sum += amount) + result;
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
  // Spares that go around are there, but not in upstream's program.
  Amount spares = memory.carried(block) - memory.broughtIn(block);
  room.inStep = inStep(lives);
  Amount end = heldByTime(lives).back() - lives.results.back();
  for (auto [amount, result] : llvm::zip(room.inStep, lives.results)) {
    amount = amount - spares;
    room.atOnce.push_back(end + result - spares);
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
  return room;
}

bool Room::isInside(Block &block, const BlockRoom &room,
                    ArrayRef<Amount> inside, Amount around,
                    const BlockRoom *before) const {
  Amount certain = memory.certainLimit(block);
  Amount whole = memory.wholeLimit(block);
  Amount earlier;
  if (before)
    earlier = memory.held(block.getParentOp()->getRegion(0).front()).certain -
              before->added + memory.broughtIn(block);
  for (auto [time, amount] : llvm::enumerate(inside)) {
    Amount sum = amount + around;
    if (!(sum <= room.inStep[time] || sum <= room.atOnce[time] ||
          sum <= certain || sum <= whole || (before && sum <= earlier)))
      return false;
  }
  return true;
}

} // namespace onnxfold::deallocation
