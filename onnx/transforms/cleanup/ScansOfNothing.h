//===- ScansOfNothing.h - Scan outputs of empty loops -----------*- C++ -*-===//
//
// A Loop of no iterations is unrolled to no nodes, but it is kept if a scan
// output has users, because its shape is not stated. When no other transform
// changes anything, the users that fold, and those that only these use, are
// replaced by constants; the next walk unrolls the loop. A draft of the plan
// says which users fold within the budget. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SCANSOFNOTHING_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SCANSOFNOTHING_H

#include "onnxfold/onnx/transforms/controlflow/ControlFlowTransforms.h"
#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"

namespace onnxfold {

class ScansOfNothing : public Transform {
public:
  ScansOfNothing(RewriteSession &session, const UnrollLoops &loops,
                 InterproceduralConstants &lifts)
      : Transform(session), loops(loops), lifts(lifts) {}
  bool finishLast() override;

private:
  const UnrollLoops &loops;
  InterproceduralConstants &lifts;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SCANSOFNOTHING_H
