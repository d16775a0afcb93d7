//===- Scores.h - What classifiers and regressors share ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The operators of ai.onnx.ml read a matrix of features, compute a row of
// scores for each row of it, transform the scores and name the best class:
//
//   ReasonOr<FeatureMatrix> x = featuresOf(cx);
//   ReasonOr<Elements> labels = classLabelsOf(cx, "classlabels_ints");
//   ReasonOr<Transform> transform = postTransformOf(cx);
//   ...
//   return classify(labels, topClasses(scores), scores, *transform);
//
// Everything is computed in double; the tensor of scores is rounded once.
//
// The specification only names the values of post_transform; their meaning here
// is the one on which the reference evaluator and ONNX Runtime agree: PROBIT is
// sqrt(2) * erfinv(2 * p - 1) by Winitzki's approximation, SOFTMAX_ZERO is a
// softmax that leaves out scores of magnitude 1e-7 and less (these are
// multiplied by exp(-largest) instead). Where they do not agree the result is
// undefined and nothing is folded: PROBIT outside of (0, 1), SOFTMAX_ZERO of
// zeros only.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SCORES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SCORES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// Input #0 as a matrix of doubles, a vector as one row.
struct FeatureMatrix {
  Elements values; // f64, [rows, columns]
  int64_t rows = 0, columns = 0;
};
ReasonOr<FeatureMatrix> featuresOf(FoldContext &cx, bool vectorToo = true);

/// A row of scores for each row of features.
struct Scores {
  std::vector<double> values; // [rows, columns]
  int64_t rows = 0, columns = 0;

  llvm::MutableArrayRef<double> row(int64_t i) {
    return {values.data() + i * columns, size_t(columns)};
  }
  /// The scores as a tensor of `type`, [rows, columns].
  Elements toTensor(DataType type) const;
};

/// Zeros, if the limits allow a result of that size.
ReasonOr<Scores> makeScores(FoldContext &cx, DataType type, int64_t rows,
                            int64_t columns);

/// x * W' + b, from attributes `coefficients` (a row for each of `columns`
/// scores) and `intercepts` (may be missing).
ReasonOr<Scores> linearScores(FoldContext &cx, const FeatureMatrix &x,
                              int64_t columns);

/// The scores -s and s of two classes from a single score s.
Scores twoScores(const Scores &single);

/// The numbers are those of TreeEnsemble.
enum class Transform : uint8_t { None, Softmax, Logistic, SoftmaxZero, Probit };

/// The value of attribute `post_transform`, or a reason if it is unknown.
ReasonOr<Transform> postTransformOf(FoldContext &cx);

/// Transforms each row; a reason if that is undefined.
Reason transformScores(Transform kind, Scores &scores);

/// The transformed scores of a regression as a tensor. A single score is not
/// folded with a transform other than PROBIT, which runtimes leave out there.
FoldResult regress(Scores scores, Transform kind, DataType type);

/// The labels of the classes, strings or i64; a reason unless exactly one of
/// the two attributes is present.
ReasonOr<Elements> classLabelsOf(FoldContext &cx, llvm::StringRef integers);

/// The number of the first largest score of each row; nothing if one is NaN.
std::optional<std::vector<int64_t>> topClasses(Scores &scores);

/// The labels of the chosen classes, and the transformed scores as f32. A
/// reason if no choice was possible (some score is NaN).
FoldResult classify(const Elements &labels,
                    std::optional<std::vector<int64_t>> chosen, Scores scores,
                    Transform kind);

/// As classify with topClasses of `scores`; a reason if the largest score
/// before the transform is not the largest after it, because the specification
/// does not say whether classes are chosen before or after it.
FoldResult classifyByScores(const Elements &labels, Scores scores,
                            Transform kind);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SCORES_H
