//===- ScansOfNothing.h - Scan outputs of empty loops -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A Loop of no iterations is unrolled to no nodes, but it is kept if a scan
// output has users, because its shape is not stated. When no other transform
// changes anything, the users that fold, and those that only these use, are
// replaced by constants; the next walk unrolls the loop. A draft of the plan
// says which users fold within the budget.
//
// What such a loop gives follows from the types that its body states. What
// folds there will state its type in the file, so it does at once.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SCANSOFNOTHING_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SCANSOFNOTHING_H

#include "onnxfold/onnx/transforms/controlflow/ControlFlowTransforms.h"
#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"

namespace onnxfold {

/// States the types of what bodies give and what folds there, for loops that
/// are kept because these are not known. True if another evaluation would know
/// more. `stated`: those of earlier evaluations.
bool typeBodiesOfNothing(const Evaluation &evaluation,
                         llvm::DenseSet<mlir::Value> &stated);

class ScansOfNothing : public Transform {
public:
  ScansOfNothing(RewriteSession &session, const UnrollLoops &loops,
                 InterproceduralConstants &lifts)
      : Transform(session), loops(loops), lifts(lifts) {}
  bool finish() override {
    return typeBodiesOfNothing(session.evaluation(), stated);
  }
  bool finishLast() override;

private:
  const UnrollLoops &loops;
  InterproceduralConstants &lifts;
  llvm::DenseSet<mlir::Value> stated;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SCANSOFNOTHING_H
