//===- MovedNodes.h - Nodes that left the graph of their file ---*- C++ -*-===//
//
// Where operations were that were moved out of the branch of an If, and which
// changes the file needs because of new names.
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

/// Changes that the file needs.
struct NameChanges {
  /// Operations that read other values than they did, or a result of which has
  /// another name.
  llvm::DenseSet<mlir::Operation *> rewired;
  /// The names that such results had.
  llvm::DenseMap<mlir::Value, llvm::StringRef> before;

  /// `value` is about to get another name.
  void rename(mlir::Value value);
};

class MovedNodes {
public:
  /// `op` was in `region`, to which `path` leads from its place now.
  void note(mlir::Operation *op, mlir::Region *region,
            llvm::ArrayRef<BodyStep> path);
  /// From the graph of an operation to the one that it came from; empty if they
  /// are one.
  llvm::ArrayRef<BodyStep> origin(mlir::Operation *op) const;
  /// The region where an operation stood at first.
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
