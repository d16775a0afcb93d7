//===- Scores.h - Common part of classifiers and regressors -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The operators of ai.onnx.ml read a matrix of features (a vector is one row)
// and compute a row of scores for each row of it. Features on which runtimes
// disagree are refused: SOFTMAX_ZERO and PROBIT, a transform of a single score.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_SCORES_H
#define ONNXFOLD_DML_SUPPORT_SCORES_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

/// Input 0 as rows of features.
View featuresOf(LoweringContext &cx);

/// A list of numbers of an attribute as a matrix.
Expr listMatrix(LoweringContext &cx, llvm::StringRef name,
                llvm::ArrayRef<float> values, int64_t rows, int64_t columns);

/// scores + a row of numbers, if there are any.
Expr plusRow(LoweringContext &cx, Expr scores, llvm::StringRef name,
             const std::vector<double> &values);

/// post_transform of each row of scores; null if it is refused.
Expr transformed(LoweringContext &cx, Expr scores, llvm::StringRef kind);

/// Defines result 0 by the scores of a regressor.
Lowered defineRegression(LoweringContext &cx, View scores,
                         llvm::StringRef transform);

/// Defines result 0 by the labels of the classes with these numbers, a column.
void defineLabels(LoweringContext &cx, Expr numbers, Size rows,
                  llvm::ArrayRef<int64_t> labels);

/// Does the same for the numbers of the first largest scores.
void defineTopLabels(LoweringContext &cx, const View &scores,
                     llvm::ArrayRef<int64_t> labels);

/// Defines results 0 and 1: the label of the first largest score, and the
/// scores.
Lowered defineClasses(LoweringContext &cx, View scores,
                      llvm::ArrayRef<int64_t> labels);

/// The labels of the node, of strings the numbers of words; nothing if it has
/// none.
std::optional<Shape> labelsOf(LoweringContext &cx, llvm::StringRef name);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_SCORES_H
