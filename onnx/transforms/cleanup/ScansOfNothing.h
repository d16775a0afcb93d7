//===- ScansOfNothing.h - Users of what a loop never scans ------*- C++ -*-===//
//
// A Loop of no iterations is unrolled to nothing, but for scan outputs with
// users: nothing says the shape of these. Users that fold, or that are erased
// with such, are replaced by constants before, when nothing else is left to do;
// the next walk unrolls the loop. A draft of the plan says which fold within the
// budget. Thread safety: none.
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
