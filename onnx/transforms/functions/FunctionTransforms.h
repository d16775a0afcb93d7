//===- FunctionTransforms.h - Calls and functions as transforms -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// CallInlining and InterproceduralConstants as transforms: `constant-call` and
// `lift-from-function`. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_FUNCTIONTRANSFORMS_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_FUNCTIONTRANSFORMS_H

#include "onnxfold/onnx/transforms/functions/CallAnalyses.h"
#include "onnxfold/onnx/transforms/functions/CallInlining.h"
#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class InlineCalls : public Transform {
public:
  InlineCalls(RewriteSession &session, CallAnalyses &analyses)
      : Transform(session), analyses(analyses) {}
  void begin() override;
  bool visitAny(mlir::Operation *op) override;
  bool finish() override;

private:
  /// Operations that were inlined, of which some are to be visited.
  struct Waiting {
    llvm::SmallVector<mlir::Operation *> ops;
    size_t next = 0;
  };

  CallAnalyses &analyses;
  CallInlining calls;
  std::vector<Waiting> waiting; ///< one for each level of nested calls
  mlir::Operation *visited = nullptr;
};

/// Runs last, when no other transform changes the operands of calls.
class LiftFromFunctions : public Transform {
public:
  LiftFromFunctions(RewriteSession &session, CallAnalyses &analyses,
                    InterproceduralConstants &lifts)
      : Transform(session), analyses(analyses), lifts(lifts) {}
  bool finishLast() override;

private:
  CallAnalyses &analyses;
  InterproceduralConstants &lifts;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_FUNCTIONTRANSFORMS_H
