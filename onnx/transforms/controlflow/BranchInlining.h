//===- BranchInlining.h - An If whose condition is known --------*- C++ -*-===//
//
// Moves the operations of the branch that an If takes in front of it. Results
// of the If become those of the operations that the branch ends with, which
// take their names; where that cannot be (an outer value, a constant, one value
// twice) an Identity gives the result. Names of the branch that the model has
// elsewhere too are replaced by new ones.
//
//   BranchInlining inlining;
//   if (auto moved = inlining.run(op, evaluation, nodes, changes))
//     ...                                       // nobody reads op now
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_BRANCHINLINING_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_BRANCHINLINING_H

#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"

namespace onnxfold {

/// What the file must say otherwise.
struct NameChanges {
  /// Operations that read other values than they did, or a result of which has
  /// another name.
  llvm::DenseSet<mlir::Operation *> rewired;
  /// The names that such results had.
  llvm::DenseMap<mlir::Value, llvm::StringRef> before;

  /// `value` is about to get another name.
  void rename(mlir::Value value);
};

class BranchInlining {
public:
  /// If `op` is an If with a known condition: what stands in front of it now
  /// and was not there, in order. Notes in `changes` those of which an input or
  /// an output has another name. Nothing, and all is as it was, if some
  /// operation of the branch may not change.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
      NameChanges &changes);

  /// From the graph where an operation stands now to the one that it came
  /// from; empty where they are one.
  llvm::ArrayRef<BodyStep> origin(mlir::Operation *op) const;
  /// Some value got a new name because another one had it too: what was hidden
  /// before can be seen now.
  bool hasRenamed() const { return renamed; }
  /// The region where an operation stood at first.
  mlir::Region *firstRegion(mlir::Operation *op) const;

private:
  struct Origin {
    llvm::SmallVector<BodyStep, 1> path;
    mlir::Region *region;
  };
  llvm::DenseMap<mlir::Operation *, Origin> origins;
  bool renamed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_BRANCHINLINING_H
