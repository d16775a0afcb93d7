//===- SmallConstants.h - Small constants that are broadcast ----*- C++ -*-===//
//
// Values that a budget keeps out of the model although they are known: where
// one is a broadcast of something small, the small constant and an Expand take
// the place of the nodes that compute it: `small-constant`.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SMALLCONSTANTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SMALLCONSTANTS_H

#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class SmallConstants : public Transform {
public:
  using Transform::Transform;
  bool finishPlan(const FoldPlan &plan) override;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_SMALLCONSTANTS_H
