//===- BranchInlining.h - An If whose condition is known --------*- C++ -*-===//
//
// Moves the operations of the branch that an If takes in front of it. Results
// of the If become those of the operations that the branch ends with, which
// take their names; where that cannot be (an outer value, a constant, one value
// twice) an Identity gives the result. Names of the branch that the model has
// elsewhere too are replaced by new ones.
//
//   BranchInlining inlining;
//   if (auto moved = inlining.run(op, evaluation, nodes, changes, places))
//     ...                                       // nobody reads op now
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_BRANCHINLINING_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_BRANCHINLINING_H

#include "onnxfold/onnx/transforms/rewrite/MovedNodes.h"
#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"

namespace onnxfold {

class BranchInlining {
public:
  /// If `op` is an If with a known condition: what stands in front of it now
  /// and was not there, in order. Notes in `changes` those of which an input or
  /// an output has another name, in `places` where they stood. Nothing, and all
  /// is as it was, if some operation of the branch may not change.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
      NameChanges &changes, MovedNodes &places);

  /// Some value got a new name because another one had it too: what was hidden
  /// before can be seen now.
  bool hasRenamed() const { return renamed; }

private:
  bool renamed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_BRANCHINLINING_H
