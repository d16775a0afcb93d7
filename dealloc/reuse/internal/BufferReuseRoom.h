//===- BufferReuseRoom.h - What may be alive around a region --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A buffer that is alive around a loop or a branch, instead of one inside, must
// not raise the peak above upstream's. There is room for it if, at each time in
// a region, one of these is true:
//
//   in step   The region's own buffers and it are together no more than
//             upstream holds of the region's by then. Whatever else is alive,
//             in what runs inside, in what came in and in results, is alive
//             there, too.
//   at once   All that is needed is no more than the region holds when it runs.
//   as one    It is no more than the loop holds that has the region as a body.
//   in turn   It is no more than the other region of the loop holds: the one
//             that ran before, or, for the first region, the one that runs
//             next. The first one runs once more than the other: what came in
//             the last time was there, but for what the other one adds, when
//             that ran before. If it never ran, it is a loop that does not run.
//   outside   With all that the block around has it is no more than that block
//             may need (BufferLives.h).
//
// What was only allowed by the last is `lifted`: it may be more than upstream
// has in the region, so that the region's operation is not in step any more.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERREUSEROOM_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERREUSEROOM_H

#include "onnxfold/dealloc/reuse/internal/BufferLives.h"

namespace onnxfold::deallocation {

/// What may be alive in a block, by time, and what it leaves.
struct BlockRoom {
  std::vector<Amount> inStep, atOnce;
  Amount added; ///< at its end, to what came in; at most
  /// The same, at least; nullopt where it is not known what is freed inside.
  std::optional<Amount> leastAdded;
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
  /// other reasons than `outside`; `other` is the room of the other region of
  /// the loop, or null.
  bool isInside(mlir::Block &block, const BlockRoom &room,
                llvm::ArrayRef<Amount> inside, Amount around,
                const BlockRoom *other) const;

  void setLifted(mlir::Operation *op) { lifted.insert(op); }
  /// A loop with results that upstream's program does not have.
  void setDoubled(mlir::Operation *loop) { doubled.insert(loop); }

private:
  /// What came in and was freed by then, which `results` still counts, as
  /// upstream holds it to the end.
  std::vector<Amount> freedByTime(const Lives &lives) const;
  std::optional<Amount> heldInTurn(mlir::Block &block, const BlockRoom &room,
                                   const BlockRoom *other) const;

  const BlockMemory &memory;
  llvm::SmallPtrSet<mlir::Operation *, 4> lifted, doubled;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERREUSEROOM_H
