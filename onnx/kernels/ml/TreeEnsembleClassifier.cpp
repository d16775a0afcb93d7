//===- TreeEnsembleClassifier.cpp - onnx.ml.TreeEnsembleClassifier --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The votes of trees for each class plus base_values, the class of the largest
// score, and the scores after post_transform (support/Trees.h,
// support/Scores.h). Spec: onnx.ml TreeEnsembleClassifier, versions 1, 3 (lists
// as tensors of doubles), 5 (deprecated). In double, rounded once to f32.
//
// Where all votes are for the first of two classes, their sum s is a score of
// the second, which converters rely on and the text does not say. The scores
// are then 1 - s and s (no weight negative, no transform), or those of -s and s
// (LOGISTIC). Runtimes choose the second class where s > 0.5, or where s > 0;
// where that makes a difference, and in all other cases, the result is
// undefined.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Trees.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::Twine;

static bool hasNegativeWeight(const Forest &forest) {
  return llvm::any_of(forest.votes,
                      [](const TreeVote &vote) { return !(vote.weight >= 0); });
}

/// Scores of two classes whose votes are all for the first one.
static FoldResult classifyBinary(const Elements &labels, Scores scores,
                                 Transform kind, bool negativeWeights) {
  if (kind != Transform::Logistic &&
      (kind != Transform::None || negativeWeights))
    return undefined(
        "the meaning of votes for one of two classes is not specified");
  // LOGISTIC of weights that are not negative: 0.5 in one runtime, 0 in
  // another.
  double high = negativeWeights ? 0 : 0.5;
  double low = kind == Transform::Logistic ? 0 : high;
  std::vector<int64_t> chosen;
  for (int64_t i = 0; i < scores.rows; ++i) {
    double s = scores.row(i)[0];
    if (!(s <= low || s > high))
      return undefined("which of two classes is chosen in row " + Twine(i) +
                       " is not said");
    chosen.push_back(s > high);
    scores.row(i)[0] = kind == Transform::None ? 1 - s : -s;
    scores.row(i)[1] = s;
  }
  return classify(labels, std::move(chosen), std::move(scores), kind);
}

static FoldResult foldTreeEnsembleClassifier(FoldContext &cx) {
  ReasonOr<FeatureMatrix> x = featuresOf(cx, /*vectorToo=*/false);
  ReasonOr<Elements> labels = classLabelsOf(cx, "classlabels_int64s");
  ReasonOr<Transform> transform = postTransformOf(cx);
  for (const Reason &wrong : {x.reason(), labels.reason(), transform.reason()})
    if (wrong)
      return wrong;
  ReasonOr<Forest> forest = readForest(cx, *x, {"class", labels->size()});
  if (!forest)
    return forest.reason();
  auto votesFor = [&](int64_t target) {
    return llvm::any_of(forest->votes, [=](const TreeVote &vote) {
      return vote.target == target;
    });
  };
  bool first = votesFor(0), second = votesFor(1);
  bool binary = labels->size() == 2 && first && !second;
  if (labels->size() < 2 || (labels->size() == 2 && !first))
    return undefined("the meaning of votes for " + Twine(labels->size()) +
                     " classes is not specified");
  auto base = realsOrTensor(cx, "base_values");
  if (!base || (!base->empty() &&
                int64_t(base->size()) != (binary ? 1 : labels->size())))
    return undefined("attribute 'base_values' is not one for each class that "
                     "has votes");
  if (labels->size() == 2 && second && !mustDecide(cx))
    return undefined("there are votes for both of two classes, where ONNX "
                     "Runtime chooses by the second alone");
  llvm::StringRef among = "a row gives a class no vote, and ONNX Runtime "
                          "chooses among the others";
  bool isDisputed = labels->size() > 2 && !mustDecide(cx) &&
                    (!base->empty() || hasNegativeWeight(*forest));
  ReasonOr<Scores> scores =
      countVotes(cx, *forest, *x, Aggregate::Sum, isDisputed ? among : "");
  if (!scores)
    return scores.reason();
  for (int64_t i = 0; i < scores->rows; ++i)
    for (auto [score, value] : llvm::zip(scores->row(i), *base))
      score += value;
  if (binary)
    return classifyBinary(*labels, std::move(*scores), *transform,
                          hasNegativeWeight(*forest));
  return classifyByScores(*labels, std::move(*scores), *transform);
}

namespace onnxfold {
void registerTreeEnsembleClassifier(KernelRegistry &registry) {
  registry.add("ml.TreeEnsembleClassifier", {1, 3, 5},
               foldTreeEnsembleClassifier);
}
} // namespace onnxfold
