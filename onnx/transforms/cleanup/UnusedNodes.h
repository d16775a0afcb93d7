//===- UnusedNodes.h - Erases unused nodes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The transform `unused-node`. It runs after each walk, from the bottom up.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_UNUSEDNODES_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_UNUSEDNODES_H

#include "onnxfold/onnx/transforms/functions/CallAnalyses.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

/// `op` and the operations in its bodies have no effects that matter: all of
/// them may be erased and are deterministic. (The effects of Dropout are those
/// of training.)
bool isUnneeded(mlir::Operation *op, const RewriteSession &session,
                PureCalls &calls);

class UnusedNodes : public Transform {
public:
  UnusedNodes(RewriteSession &session, const CallAnalyses &calls)
      : Transform(session), calls(calls) {}
  bool finish() override;

private:
  bool isUnneededCall(mlir::Operation *op) const;
  bool isErasedWithUsers(mlir::Operation *op) const;

  const CallAnalyses &calls;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_UNUSEDNODES_H
