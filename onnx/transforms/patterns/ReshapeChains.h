//===- ReshapeChains.h - Reshape of a Reshape -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   Reshape(f(x), s) = Reshape(x, s) if f only reshapes, for constant s
//
// If f has no other users, it is unused then. The patterns are tried again on
// the Reshape of x. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_RESHAPECHAINS_H
#define ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_RESHAPECHAINS_H

#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class ReshapeChains : public Transform {
public:
  ReshapeChains(RewriteSession &session, Transform &patterns)
      : Transform(session), patterns(patterns) {}
  bool visit(const CleanUpContext &cx) override;

private:
  Transform &patterns;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_RESHAPECHAINS_H
