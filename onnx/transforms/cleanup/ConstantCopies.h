//===- ConstantCopies.h - Copies of constants -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Replaces copies of constants: an Identity of a weight, a Reshape of a weight
// to its own shape, a branch that yields a weight. Folding a copy would store
// the same bytes again under another name. The users of the copy are rewired to
// the constant, or the constant takes the name of the copy. If neither is
// possible, the session records the copy for the plan. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CONSTANTCOPIES_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CONSTANTCOPIES_H

#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class ConstantCopies : public Transform {
public:
  ConstantCopies(RewriteSession &session, const PatternIndex &index,
                 bool takesBranches)
      : Transform(session), index(index), takesBranches(takesBranches) {}
  bool visitAny(mlir::Operation *op) override;

private:
  mlir::Value constantOfBranch(Operator node) const;
  bool isFixed(mlir::Value value) const;
  bool isFolding(mlir::Operation *op) const;
  bool giveConstant(mlir::Operation *op, mlir::Value value,
                    llvm::StringRef pattern);
  const CleanUpPattern *constantGiven(mlir::Operation *op, mlir::Value &value);
  void noteCopy(mlir::Operation *op, mlir::Value value,
                const CleanUpPattern &pattern);

  const PatternIndex &index;
  bool takesBranches; ///< constant-branch is not disabled
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CONSTANTCOPIES_H
