//===- PatternRewrites.h - Tries the patterns of an operator ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// InputRewrites tries the patterns that change the operands of an operator,
// until none fires. PatternRewrites tries the patterns that replace its result,
// in order, and runs the transforms on new nodes. An endless chain of
// replacements is an error. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_PATTERNREWRITES_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_PATTERNREWRITES_H

#include "onnxfold/onnx/transforms/rewrite/RewriteGrowth.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class InputRewrites : public Transform {
public:
  InputRewrites(RewriteSession &session, const PatternIndex &index)
      : Transform(session), index(index) {}
  bool visit(const CleanUpContext &cx) override;

private:
  void edit(mlir::Operation *op, unsigned i, mlir::Value value,
            llvm::StringRef pattern);

  const PatternIndex &index;
};

class PatternRewrites : public Transform {
public:
  PatternRewrites(RewriteSession &session, const PatternIndex &index)
      : Transform(session), index(index), growth(session) {}
  bool visit(const CleanUpContext &cx) override;
  bool finish() override { return session.haveReadersBeenErased(); }
  bool finishLast() override { return growth.offer(); }

  /// The limit on growth left out some rewrite.
  bool isLimited() const { return growth.isLimited(); }

  /// The replacement of an operation was replaced again, and so on without end.
  bool diverges() const { return isEndless; }

private:
  const PatternIndex &index;
  RewriteGrowth growth;
  unsigned depth = 0; ///< of a chain of replacements of one operation
  bool isEndless = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_PATTERNREWRITES_H
