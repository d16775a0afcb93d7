//===- BufferReuseRoom.h - What may be alive around a region --------------===//
//
// Of this folder only. A buffer that is alive around a loop or a branch, where
// one inside was, must not lift the peak over upstream's. There is room for it
// if, at each time in a region, one of these is true:
//
//   in step   The region's own buffers and it are together no more than
//   upstream
//             holds of the region's by then. Whatever else is alive, in what
//             runs inside, in what came in and in results, is alive there, too.
//   at once   All that is needed is no more than the region holds when it runs.
//   as one    It is no more than the loop holds that has the region as a body.
//   before    It is no more than the region holds that runs before this one.
//   outside   With all that the block around has it is no more than that block
//             may need (BufferLives.h).
//
// What was only allowed by the last is `lifted`: it may be more than upstream
// has in the region, so that the region's operation is not in step any more.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_BUFFERREUSEROOM_H
#define ONNXFOLD_DEALLOC_BUFFERREUSEROOM_H

#include "onnxfold/dealloc/BufferLives.h"

namespace onnxfold::deallocation {

/// What may be alive in a block, by time, and what it leaves.
struct BlockRoom {
  std::vector<Amount> inStep, atOnce;
  Amount added; ///< at its end, to what came in; at most
};

class Room {
public:
  explicit Room(const BlockMemory &memory) : memory(memory) {}

  /// What upstream holds of a block's own buffers, at least, and the results
  /// that we count as well. It has none that were hoisted already.
  std::vector<Amount> heldByTime(const Lives &lives) const;
  /// heldByTime and what runs in the block.
  std::vector<Amount> inStep(const Lives &lives) const;
  BlockRoom of(mlir::Block &block, const Lives &lives) const;

  /// Whether `around` may be alive around a block that needs `inside`, for
  /// other reasons than `outside`; `before` is the room of the block that runs
  /// before it, or null.
  bool isInside(mlir::Block &block, const BlockRoom &room,
                llvm::ArrayRef<Amount> inside, Amount around,
                const BlockRoom *before) const;

  void setLifted(mlir::Operation *op) { lifted.insert(op); }
  /// A loop with results that upstream's program does not have.
  void setDoubled(mlir::Operation *loop) { doubled.insert(loop); }

private:
  const BlockMemory &memory;
  llvm::SmallPtrSet<mlir::Operation *, 4> lifted, doubled;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_BUFFERREUSEROOM_H
