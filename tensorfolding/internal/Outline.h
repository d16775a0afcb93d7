//===- Outline.h - The functions that run once ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Moves parts into functions of their own, and passes their results to the
// entry as arguments.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_OUTLINE_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_OUTLINE_H

#include "onnxfold/tensorfolding/internal/Parts.h"

namespace onnxfold {

/// The parts of one of `<entry>.fold_compiletime` and `<entry>.fold_runtime`.
struct Fold {
  ConstantTier tier;
  llvm::SmallVector<FoldPart> parts;
};

/// Moves the parts out of an entry and describes the result in its attribute
/// (ConstantTensors.h). REQUIRES: the entry has no calls. Fails with an error
/// at the entry if a name is taken.
mlir::LogicalResult outline(mlir::FunctionOpInterface entry,
                            const ConstantAnalysis &analysis,
                            llvm::ArrayRef<ConstantTier> argumentTiers,
                            llvm::ArrayRef<Fold> folds,
                            const std::string &symbolPrefix);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_OUTLINE_H
