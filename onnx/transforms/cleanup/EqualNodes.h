//===- EqualNodes.h - Two equal nodes are one -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Subexpressions as a transform: `common-subexpression`. Calls of functions are
// merged too, if everything in them is deterministic. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_EQUALNODES_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_EQUALNODES_H

#include "onnxfold/onnx/transforms/cleanup/RepeatedNodes.h"
#include "onnxfold/onnx/transforms/functions/CallAnalyses.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class EqualNodes : public Transform {
public:
  EqualNodes(RewriteSession &session, const CallAnalyses &calls,
             const RepeatedNodes &repeated)
      : Transform(session), calls(calls), repeated(repeated) {}
  void begin() override;
  bool visitAny(mlir::Operation *op) override;
  bool visit(const CleanUpContext &cx) override {
    return merge(cx.op.getOperation());
  }
  bool finish() override;

private:
  bool merge(mlir::Operation *op);
  bool copyOutput(mlir::Operation *op, mlir::Operation *equal);
  void redirectReaders(mlir::Operation *op, mlir::Operation *equal);

  const CallAnalyses &calls;
  const RepeatedNodes &repeated;
  std::unique_ptr<Subexpressions> known; // of this walk
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_EQUALNODES_H
