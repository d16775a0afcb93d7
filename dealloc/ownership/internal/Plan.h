//===- Plan.h - What deallocate is going to do ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The pass plans everything on unchanged IR (Planner.h), so that the module is
// unchanged after an error, and then changes it in one walk (Materialize.h).
// Owners represent ownership values that do not exist yet.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PLAN_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PLAN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace onnxfold::deallocation {

/// Index into Plan::owners.
using OwnerId = unsigned;
inline constexpr OwnerId nobody = ~0u;

/// A value of type ownership: made by `own`, an argument, a result.
struct Owner {
  /// If the owner is not null, this memref is a view of its allocation.
  mlir::Value memref;
  /// The owner is never null.
  bool isAllocation = false;
};

/// `results = retain(retained) of(owners)`; results are new owners.
struct RetainPlan {
  llvm::SmallVector<mlir::Value> retained;
  llvm::SmallVector<OwnerId> owners, results;
};

/// Memrefs are passed on: for each, in order, the owner that is passed with it.
struct HandOver {
  llvm::SmallVector<RetainPlan, 1> retains; // before
  llvm::SmallVector<OwnerId> passed;
};

struct OpPlan {
  HandOver handOver; // operands of a loop, a call, a region's terminator
  llvm::SmallVector<OwnerId> freedAfter;
};

struct Plan {
  std::vector<Owner> owners;
  /// The owner of an allocation, of a result or an argument that comes with
  /// one.
  llvm::DenseMap<mlir::Value, OwnerId> ownerOf;
  llvm::DenseMap<mlir::Operation *, OpPlan> operations;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<OwnerId>> freedAtStart;
  /// By terminator and successor.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, HandOver> edges;

  /// For memrefs in regions of several blocks, how many owners may own the
  /// buffer that they view.
  llvm::DenseMap<mlir::Value, unsigned> ownerCounts;

  OwnerId addOwner(mlir::Value memref, bool isAllocation) {
    owners.push_back({memref, isAllocation});
    return owners.size() - 1;
  }
};

/// An owner whose memrefs have no use after they change hands, and which of the
/// slots may be views of what it owns.
struct Leaving {
  OwnerId owner;
  llvm::BitVector slots;
};

/// Decides which owner is passed with which of `slots`, statically where
/// possible: everything in `leaving` is passed on once or freed.
HandOver handOver(Plan &plan, llvm::ArrayRef<mlir::Value> slots,
                  llvm::ArrayRef<Leaving> leaving);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PLAN_H
