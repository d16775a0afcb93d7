//===- MovedNodes.h - Nodes that left the graph of their file ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Records the original places of operations that were moved out of the branch
// of an If, and the changes that the file needs because of new names.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_MOVEDNODES_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_MOVEDNODES_H

#include "onnxfold/onnx/ir/Model.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold {

/// The changes that the file needs.
struct NameChanges {
  /// Operations that have other operands than in the file, or a result with
  /// another name.
  llvm::DenseSet<mlir::Operation *> rewired;
  /// The original names of these results.
  llvm::DenseMap<mlir::Value, llvm::StringRef> before;

  /// Call this before `value` gets another name.
  void rename(mlir::Value value);
};

class MovedNodes {
public:
  /// Records that `op` was in `region`, to which `path` leads from its new
  /// place.
  void note(mlir::Operation *op, mlir::Region *region,
            llvm::ArrayRef<BodyStep> path);
  /// The path from the graph of an operation to the graph that it came from;
  /// empty if they are the same.
  llvm::ArrayRef<BodyStep> origin(mlir::Operation *op) const;
  /// The region in which an operation was originally.
  mlir::Region *firstRegion(mlir::Operation *op) const;

private:
  struct Origin {
    mlir::Region *region = nullptr;
    llvm::SmallVector<BodyStep, 1> path;
  };
  llvm::DenseMap<mlir::Operation *, Origin> origins;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_MOVEDNODES_H
