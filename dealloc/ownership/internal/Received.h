//===- Received.h - Which arguments come with an owner ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Two arguments of a loop may be views of one allocation because they start as
// such. That does not mean that one of them ever has the ownership of the
// other: where both start as views of what is freed elsewhere, both start
// without an owner. An owner only matters for the others of its block on edges
// where it may not be null.
//
// The plan determines which arguments are passed with an owner, and depends on
// the answer itself. The first plan assumes that every argument may be. The
// owners that it passes are a guess (`narrow`), and a plan made with that guess
// is correct if it passes no more owners (`widen`).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_RECEIVED_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_RECEIVED_H

#include "onnxfold/dealloc/ir/internal/Flow.h"
#include "onnxfold/dealloc/ownership/internal/Aliases.h"
#include "onnxfold/dealloc/ownership/internal/Plan.h"
#include <vector>

namespace onnxfold::deallocation {

class Received {
public:
  Received(mlir::func::FuncOp function, Aliases &aliases);

  /// For two arguments of a block or two results of an operation with regions:
  /// whether the owner that is passed with `slot` may own the allocation that
  /// `other` is a view of.
  bool mayOwn(mlir::Value slot, mlir::Value other) const;

  /// Restricts the possible owners to those that `plan` passes. False if that
  /// excludes none.
  bool narrow(const Plan &plan);
  /// Adds the owners that `plan` passes to the possible ones. False if all were
  /// possible before.
  bool widen(const Plan &plan);

private:
  using Pair = std::pair<mlir::Value, mlir::Value>;
  struct Edge {
    mlir::Operation *from;
    unsigned successor;
    llvm::SmallVector<mlir::Value, 2> operands; // by slot
  };
  struct Group {
    llvm::SmallVector<mlir::Value, 2> slots;
    llvm::SmallVector<Edge, 2> edges;
  };

  void addEdge(const FlowEdge &edge);
  llvm::BitVector findFull(const Plan &plan) const;
  bool mayOwn(const Plan &plan, OwnerId owner, mlir::Value operand,
              mlir::Value other) const;
  bool widen(const Group &group, const Edge &edge, const Plan &plan,
             const llvm::BitVector &full);

  Aliases &aliases;
  std::vector<Group> groups;
  llvm::DenseMap<mlir::Value, unsigned> groupOf; // by slot
  /// Pairs that share, where the owner of the first is null whenever they do.
  llvm::DenseSet<Pair> impossible;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_RECEIVED_H
