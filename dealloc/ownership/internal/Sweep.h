//===- Sweep.h - One owner, from its birth to its endings -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SWEEP_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SWEEP_H

#include "onnxfold/dealloc/ownership/internal/Planner.h"
#include <map>

namespace onnxfold::deallocation {

/// Follows one owner through its region. Its *members* are the values that may
/// be views of what it owns. The owner lives as long as a member may still be
/// used, so it ends at a last use, and on edges of the control flow graph
/// behind which no member is used.
class Sweep {
public:
  Sweep(Planner &planner, mlir::Region &region, const Birth &birth);

  /// Emits a diagnostic if an operation frees an allocation that is used
  /// afterwards, or one that is not owned there.
  llvm::LogicalResult run();

  llvm::ArrayRef<Ending> getEndings() const { return endings; }
  const Members &getMembers() const { return members; }

private:
  /// An operation of the region that uses members, itself or inside of it.
  struct Use {
    mlir::Operation *op = nullptr;
    bool passedWhole = true;  // all uses are memrefs, operands of the operation
    bool usesPointer = false; // an integer or pointer made from a member
  };
  using Uses = std::map<unsigned, Use>; // by place

  void findLiveBlocks();
  bool isLiveOut(mlir::Block *block) const;
  llvm::LogicalResult sweepBlock(mlir::Block *block, mlir::Operation *after);
  void addUses(mlir::Value member, mlir::Block *block, unsigned from,
               Uses &uses) const;
  llvm::LogicalResult visit(const Use &use, bool isLast, bool &ended);
  llvm::LogicalResult visitRelease(mlir::Operation *op, bool isLast,
                                   bool &ended);
  llvm::LogicalResult checkCapture(mlir::Operation *branch,
                                   mlir::Operation *release) const;
  bool takesOver(const Use &use) const;
  void derive(const Use &use, llvm::SmallVectorImpl<mlir::Value> &found) const;
  void endOnEdges(mlir::Block *block);
  mlir::Operation *releaseIn(mlir::Operation *op) const;

  Planner &planner;
  mlir::Region &region;
  const Birth &birth;
  mlir::Value memref; // of the owner
  Members members;
  llvm::DenseSet<mlir::Block *> liveIn; // a member is used in it or behind it
  llvm::SmallVector<Ending> endings;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_SWEEP_H
