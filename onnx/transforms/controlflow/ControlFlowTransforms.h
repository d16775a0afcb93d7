//===- ControlFlowTransforms.h - If and Loop as transforms ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// BranchInlining and LoopUnrolling as transforms: `constant-branch` and
// `unroll`. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_CONTROLFLOWTRANSFORMS_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_CONTROLFLOWTRANSFORMS_H

#include "onnxfold/onnx/transforms/controlflow/BranchInlining.h"
#include "onnxfold/onnx/transforms/controlflow/LoopUnrolling.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class InlineBranches : public Transform {
public:
  using Transform::Transform;
  bool visitAny(mlir::Operation *op) override;
  bool visit(const CleanUpContext &cx) override;

  /// Requests that the next walk replaces an If that folds, but not within the
  /// budget, by the branch that it takes, a part of which may fit. False if
  /// that was requested before.
  bool inlineNextTime(mlir::Operation *op) { return leftOut.insert(op).second; }

private:
  bool inlineBranch(mlir::Operation *op);

  BranchInlining branches;
  llvm::DenseSet<mlir::Operation *> leftOut;
};

class UnrollLoops : public Transform {
public:
  /// Unrolls loops of at most `most` iterations; `takesSingle`: those of one
  /// iteration, `takesSequences`: those that lose their sequences, in any case.
  UnrollLoops(RewriteSession &session, uint64_t most, bool takesSingle,
              bool takesSequences)
      : Transform(session), loops(most, takesSingle, takesSequences) {}
  void begin() override { loops.begin(); }
  bool visit(const CleanUpContext &cx) override;
  bool finish() override;

  const LoopUnrolling &unrolling() const { return loops; }

private:
  LoopUnrolling loops;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_CONTROLFLOWTRANSFORMS_H
