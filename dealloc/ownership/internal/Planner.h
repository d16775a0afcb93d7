//===- Planner.h - Who owns what, and until when ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each region is planned by itself. Its owners begin at allocations, calls,
// operations with results and arguments of blocks, or are passed in by the
// operation around it. From there each owner is followed forward through all
// values that may be views of its allocation (Sweep.h): at the last use it is
// freed, or handed over to a loop, a call or the end of the region, or to the
// regions of a branch.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PLANNER_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PLANNER_H

#include "onnxfold/dealloc/ownership/internal/Aliases.h"
#include "onnxfold/dealloc/ownership/internal/Plan.h"
#include "onnxfold/dealloc/ownership/internal/Received.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/LogicalResult.h"

namespace onnxfold::deallocation {

using Members = llvm::SetVector<mlir::Value>;

/// The place where an owner comes into being, and the memrefs that may then be
/// views of what it owns.
struct Birth {
  OwnerId owner = nobody;
  llvm::SmallVector<mlir::Value, 2> members;
  mlir::Block *block = nullptr;
  mlir::Operation *after = nullptr; // null: at the start of the block
};

/// The end of an owner. There is exactly one on each path through the region.
struct Ending {
  enum Kind {
    FreeAfter,   // op
    FreeAtStart, // block
    Leave,       // with operands of op: a loop, a call, the end of the region
    LeaveEdge,   // with the operands of terminator op to successor
    Inherit,     // the regions of op get it
    Released,    // by op itself (memref.dealloc, memref.realloc)
  } kind;
  mlir::Operation *op = nullptr;
  mlir::Block *block = nullptr;
  unsigned successor = 0;
};

/// The memrefs that an operation may pass together with an owner each: the
/// initial values of a loop, arguments of a call, what the end of a region
/// yields.
llvm::SmallVector<mlir::Value> ownedSlots(mlir::Operation *op,
                                          Functions &functions);
/// The same for one successor of a branch.
llvm::SmallVector<mlir::Value> ownedSlots(mlir::Operation *terminator,
                                          unsigned successor);

class Planner {
public:
  Planner(Functions &functions, Aliases &aliases, const Received &received,
          Plan &plan)
      : functions(functions), aliases(aliases), plan(plan), received(received) {
  }

  /// Emits diagnostics for operations that the planner cannot follow.
  llvm::LogicalResult run(mlir::func::FuncOp function);

  Functions &functions;
  Aliases &aliases;
  Plan &plan;
  /// The operations that free the memref of an owner by themselves, by memref.
  llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::Operation *, 1>>
      releases;

private:
  struct Inherited {
    OwnerId owner;
    llvm::SmallVector<mlir::Value> members;
  };
  using InheritedList = llvm::SmallVector<Inherited>;

  void collectReleases(mlir::func::FuncOp function);
  llvm::LogicalResult planRegion(mlir::Region &region, bool ownsArguments,
                                 llvm::ArrayRef<Inherited> inherited);
  void addArguments(mlir::Block &block, const llvm::BitVector *owned,
                    std::vector<Birth> &births);
  void addBirths(mlir::Region &region, bool ownsArguments,
                 std::vector<Birth> &births);
  void addResults(mlir::Operation *op, std::vector<Birth> &births);
  llvm::LogicalResult end(const Birth &birth, const Ending &ending,
                          const Members &members);
  llvm::LogicalResult handOverAll(mlir::Region &region);
  llvm::LogicalResult checkReleasedArguments(mlir::Operation *loop);
  llvm::LogicalResult planNested(mlir::Operation *op);

  const Received &received;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Leaving>> leaving;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>,
                 llvm::SmallVector<Leaving>>
      leavingEdges;
  llvm::DenseMap<mlir::Operation *, InheritedList> inheritedBy;
  llvm::DenseSet<mlir::Operation *> handledReleases;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PLANNER_H
