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
  /// `isEnabled`: calls are inlined that nobody asks for, also if one of the
  /// patterns matches then.
  InlineCalls(RewriteSession &session, CallAnalyses &analyses, bool isEnabled,
              const PatternIndex &patterns)
      : Transform(session), analyses(analyses), isEnabled(isEnabled),
        patterns(patterns) {}
  /// Inlines calls of functions that match one of the globs.
  void ask(llvm::ArrayRef<std::string> globs) { calls.ask(globs); }
  void begin() override;
  bool visitAny(mlir::Operation *op) override;
  bool finish() override;
  bool finishLast() override;

private:
  /// Operations that were inlined, of which some are to be visited.
  struct Waiting {
    llvm::SmallVector<mlir::Operation *> ops;
    size_t next = 0;
  };

  CallAnalyses &analyses;
  bool tryCalls();

  bool isEnabled;
  const PatternIndex &patterns;
  CallInlining calls;
  std::vector<Waiting> waiting; ///< one for each level of nested calls
  mlir::Operation *visited = nullptr;
  bool typesSingle = false; ///< bodies of functions with one call have types
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
