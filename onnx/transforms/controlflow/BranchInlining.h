//===- BranchInlining.h - Inlines an If with a known condition --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Inlines the branch that an If takes: moves its operations in front of the If.
// The operations that produce the results of the branch take the names of the
// If's results; where that is impossible (an outer value, a constant, one value
// twice) an Identity has the name. Names of the branch that the model has
// elsewhere too are replaced by new ones.
//
//   BranchInlining inlining;
//   if (auto moved = inlining.run(op, evaluation, nodes, changes, places))
//     ...                                       // op has no users now
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
  /// Inlines the branch if `op` is an If with a known condition, and returns
  /// the moved operations, in order. Records the operations with a renamed
  /// operand or result in `changes`, and their old places in `places`. Returns
  /// nothing and changes nothing if some operation of the branch may not
  /// change, or `mayInline`, which is asked last, returns false.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
      NameChanges &changes, MovedNodes &places,
      llvm::function_ref<bool()> mayInline);

  /// True if some value got a new name because another one had it too: values
  /// that were hidden before are visible now.
  bool hasRenamed() const { return renamed; }

private:
  bool renamed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_BRANCHINLINING_H
