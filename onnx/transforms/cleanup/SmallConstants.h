//===- SmallConstants.h - Small constants that are broadcast ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The transform `small-constant`. If a budget keeps a known value out of the
// model, and the value is a broadcast of a small constant, this constant and an
// Expand replace the nodes that compute it.
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
