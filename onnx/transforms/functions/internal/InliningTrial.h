//===- InliningTrial.h - What a call would become if inlined ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Copies the body of a function in front of its call, asks whether a pattern
// matches one of the copies, or a user of the results, and erases the copies.
//
//   InliningTrial trial(session, patterns, infer);
//   if (trial.simplifies(call, function)) ...
//
// Nothing has changed when it returns, but that names of values are taken. Cost:
// the size of the body. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_INLININGTRIAL_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_INLININGTRIAL_H

#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"

namespace onnxfold {

class InliningTrial {
public:
  /// `infer` is called with each copy when it is evaluated.
  InliningTrial(RewriteSession &session, const PatternIndex &patterns,
                llvm::function_ref<void(mlir::Operation *)> infer)
      : session(session), patterns(patterns), infer(infer) {}

  /// REQUIRES: the body can stand where the call is (CallInlining::fits).
  bool simplifies(Operator call, mlir::Operation *function);

private:
  bool matches(mlir::Operation *op) const;
  bool matchesAny(Operator call, llvm::ArrayRef<mlir::Operation *> copies,
                  mlir::ValueRange results) const;

  RewriteSession &session;
  const PatternIndex &patterns;
  llvm::function_ref<void(mlir::Operation *)> infer;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_INLININGTRIAL_H
