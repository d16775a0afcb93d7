//===- Aliases.h - Which memrefs may be views of one allocation -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The analysis runs once, on IR that does not change until the plan is
// complete. It is a may-analysis of the backing memory: the result of a select
// may be a view of either operand, but the operands are not views of each
// other.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_ALIASES_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_ALIASES_H

#include "onnxfold/dealloc/ownership/internal/Functions.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold::deallocation {

/// True if `result` is memory that `op` allocates, so that no older value is a
/// view of it.
bool isAllocated(mlir::OpResult result);
/// The same for memory that must not be freed (memref.alloca).
bool isAutomatic(mlir::OpResult result);

class Aliases {
public:
  /// Analyses the bodies of all functions, and records in `functions` what
  /// their results may be views of.
  Aliases(mlir::ModuleOp module, Functions &functions);

  /// The values outside of its operation that a result may be a view of:
  /// operands, and values that regions capture.
  llvm::ArrayRef<mlir::Value> sources(mlir::OpResult result);

  /// Whether two arguments of a block, or two results of an operation, may be
  /// views of one allocation.
  bool share(mlir::Value a, mlir::Value b);

  /// Whether any two memrefs may be views of one allocation where both are
  /// defined.
  bool mayShare(mlir::Value a, mlir::Value b);

  /// Numbers in program order; an argument has the place of its block.
  unsigned place(mlir::Operation *op) const { return places.lookup(op); }
  unsigned place(mlir::Value value) const;

private:
  using Pair = std::pair<mlir::Value, mlir::Value>;

  void number(mlir::Operation *function);
  void addGroup(mlir::ValueRange values);
  void computeSources(mlir::OpResult result,
                      llvm::SmallVectorImpl<mlir::Value> &found);
  void traverse(llvm::SmallVector<mlir::Value> work, mlir::Operation *scope,
                llvm::SmallVectorImpl<mlir::Value> &found);
  bool refineGroups();
  bool groupMayShare(mlir::Value a, mlir::Value b);
  bool argumentsMayShare(mlir::BlockArgument a, mlir::BlockArgument b);
  bool refineSummary(mlir::func::FuncOp function);
  bool expand(mlir::Value later, mlir::Value earlier,
              llvm::SmallVectorImpl<Pair> &work);
  bool expandResult(mlir::OpResult later, mlir::Value earlier,
                    llvm::SmallVectorImpl<Pair> &work);
  static Pair ordered(mlir::Value a, mlir::Value b);

  Functions &functions;
  llvm::DenseMap<mlir::Operation *, unsigned> places;
  llvm::DenseMap<mlir::Block *, unsigned> blockPlaces;
  unsigned next = 0;
  /// Block arguments and results of region operations: what flows into them,
  /// edge by edge in the same order for all values of one successor.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> predecessors;
  llvm::DenseMap<mlir::Value, std::vector<mlir::Value>> knownSources;
  /// The calls of each internal function.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> calls;
  /// Arguments of one block or results of one operation, two or more.
  std::vector<llvm::SmallVector<mlir::Value, 4>> groups;
  llvm::DenseSet<Pair> shared;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_ALIASES_H
