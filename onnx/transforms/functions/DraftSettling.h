//===- DraftSettling.h - Applies a draft of the plan ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A plan folds at the end. Some operations change before: calls of a function
// whose inputs change, operations with bodies, and a loop that is about to be
// unrolled. Operations that depend on these and would fold then are replaced by
// constants at once.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_DRAFTSETTLING_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_DRAFTSETTLING_H

#include "onnxfold/onnx/transforms/functions/CallTypes.h"
#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"

namespace onnxfold {

/// The outermost operation that the draft erases, of `op` and those around it;
/// null if there is none.
mlir::Operation *outermostErased(mlir::Operation *op,
                                 const Evaluation &evaluation,
                                 const FoldPlan &draft);

class DraftSettling {
public:
  /// `lifts` is told where the constants come from. `pattern` is the reason that
  /// the report gives for replaced operations; it must outlive the session.
  DraftSettling(RewriteSession &session, InterproceduralConstants &lifts,
                const FoldPlan &draft, llvm::StringRef pattern = constantCall)
      : session(session), lifts(lifts), draft(draft), pattern(pattern) {}

  /// If the draft erases `op`, it is erased now: a constant replaces it, or it
  /// has no users any more.
  void settle(mlir::Operation *op);
  /// Settles all calls of functions of the model.
  void settleCalls(const CallTypes &types);
  /// The bytes of the constants that settleCalls() would make.
  int64_t bytesOfCalls(const CallTypes &types) const;

private:
  void addBytes(mlir::Operation *op, int64_t &bytes,
                llvm::SmallPtrSetImpl<mlir::Operation *> &seen) const;

  RewriteSession &session;
  InterproceduralConstants &lifts;
  const FoldPlan &draft;
  llvm::StringRef pattern;
};

/// The names of the constants that the results of `op`, which folds, were
/// computed from: each once, the nearest first, at most 16, and none that is
/// further than 64 nodes away. They live as long as the context.
llvm::SmallVector<llvm::StringRef>
constantSourcesOf(mlir::Operation *op, const Evaluation &evaluation,
                  const InterproceduralConstants &lifts);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_DRAFTSETTLING_H
