//===- Nullability.h - Ownership that is never or always null ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_NULLABILITY_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_NULLABILITY_H

#include "onnxfold/dealloc/ir/Dialect.h"

#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace onnxfold::deallocation {

enum class Nullability { Undefined, Always, Never, Sometimes };

/// Whether the ownership values of a function are null, as far as it is known,
/// through loops, branches and blocks. The analysis is valid until the function
/// changes.
class NullabilityAnalysis {
public:
  explicit NullabilityAnalysis(mlir::Operation *function);

  Nullability get(mlir::Value ownership) const;

  /// A memref that is a view of what `ownership` owns whenever that is not
  /// null, and is defined where `ownership` is; null if none is known.
  mlir::Value memrefOf(mlir::Value ownership) const;

  /// Arguments and results of type ownership into which values flow, in order.
  llvm::ArrayRef<mlir::Value> getSlots() const { return slots; }
  llvm::ArrayRef<mlir::Value> flowingInto(mlir::Value slot) const;

private:
  void addGroup(mlir::ValueRange values);
  Nullability ofRetained(RetainOp retain) const;
  void propagate();
  void pairUp();
  bool isPaired(mlir::Value memref, mlir::Value ownership) const;

  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> flows;
  llvm::SmallVector<mlir::Value> slots;
  llvm::DenseMap<mlir::Value, Nullability> states;
  /// For each slot the memrefs beside it that may turn out to belong to it.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> partners;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_NULLABILITY_H
