//===- Scores.h - What classifiers and regressors share ---------*- C++ -*-===//
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
// Everything is in double; the tensor of scores is rounded once.
//
// post_transform, which the text names only, is what the reference evaluator
// and ONNX Runtime agree on: PROBIT is sqrt(2) * erfinv(2 * p - 1) by
// Winitzki's approximation, SOFTMAX_ZERO a softmax that leaves out scores of
// magnitude 1e-7 and less (multiplied by exp(-largest) instead). Where they do
// not agree the result is undefined: PROBIT outside of (0, 1), SOFTMAX_ZERO of
// nothing but zeros.
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
  /// Of `type`, [rows, columns].
  Elements toTensor(DataType type) const;
};

/// Zeros, if the limits allow a result of that size.
ReasonOr<Scores> makeScores(FoldContext &cx, DataType type, int64_t rows,
                            int64_t columns);

/// x * W' + b, from attributes `coefficients` (a row for each of `columns`
/// scores) and `intercepts` (may be missing).
ReasonOr<Scores> linearScores(FoldContext &cx, const FeatureMatrix &x,
                              int64_t columns);

/// One score s of two classes as two: -s and s.
Scores twoScores(const Scores &single);

/// The numbers are those of TreeEnsemble.
enum class Transform : uint8_t { None, Softmax, Logistic, SoftmaxZero, Probit };

/// Attribute `post_transform` by name.
ReasonOr<Transform> postTransformOf(FoldContext &cx);

/// Transforms each row; a reason if that is undefined.
Reason transformScores(Transform kind, Scores &scores);

/// The transformed scores of a regression as a tensor. A transform of a single
/// score is kept but for PROBIT: runtimes leave it out.
FoldResult regress(Scores scores, Transform kind, DataType type);

/// Labels of classes, strings or i64, one of the two attributes.
ReasonOr<Elements> classLabelsOf(FoldContext &cx, llvm::StringRef integers);

/// The number of the first largest score of each row; nothing if one is NaN.
std::optional<std::vector<int64_t>> topClasses(Scores &scores);

/// The labels of the chosen classes, and the transformed scores as f32. A
/// reason if no choice was possible (some score is NaN).
FoldResult classify(const Elements &labels,
                    std::optional<std::vector<int64_t>> chosen, Scores scores,
                    Transform kind);

/// As classify with topClasses of `scores`; a reason where the largest score
/// before the transform is not the largest after it, because whether classes
/// are chosen before or after it is not said.
FoldResult classifyByScores(const Elements &labels, Scores scores,
                            Transform kind);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SCORES_H
