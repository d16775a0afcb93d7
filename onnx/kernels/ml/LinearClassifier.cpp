//===- LinearClassifier.cpp - Kernel of onnx.ml.LinearClassifier ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * coefficients' + intercepts, the class of the largest score, and the
// scores after post_transform (support/Scores.h). Spec: onnx.ml
// LinearClassifier, version 1. In double, rounded once to f32.
//
// There are as many scores as intercepts. One score s for two classes means the
// second one where it is positive; with LOGISTIC both get theirs, of -s and s.
// What other transforms make of it is not said: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Scores.h"

using namespace onnxfold;

/// The scores -s and s of one s.
static FoldResult classifyBinary(const Elements &labels, Scores scores,
                                 Transform kind) {
  if (labels.size() != 2 || kind != Transform::Logistic)
    return undefined("one intercept for " + llvm::Twine(labels.size()) +
                     " classes, without LOGISTIC");
  Scores both = twoScores(scores);
  std::optional<std::vector<int64_t>> chosen = topClasses(both);
  return classify(labels, std::move(chosen), std::move(both), kind);
}

static FoldResult foldLinearClassifier(FoldContext &cx) {
  ReasonOr<FeatureMatrix> x = featuresOf(cx);
  ReasonOr<Elements> labels = classLabelsOf(cx, "classlabels_ints");
  ReasonOr<Transform> transform = postTransformOf(cx);
  for (const Reason &wrong : {x.reason(), labels.reason(), transform.reason()})
    if (wrong)
      return wrong;
  auto intercepts = cx.reals("intercepts");
  if (!intercepts || intercepts->empty())
    return undefined("without intercepts the number of scores is not defined");
  int64_t count = intercepts->size();
  if (count != 1 && count != labels->size())
    return invalid(llvm::Twine(count) + " intercepts for " +
                   llvm::Twine(labels->size()) + " classes");
  ReasonOr<Scores> scores = linearScores(cx, *x, count);
  if (!scores)
    return scores.reason();
  if (count == 1)
    return classifyBinary(*labels, std::move(*scores), *transform);
  return classifyByScores(*labels, std::move(*scores), *transform);
}

namespace onnxfold {
void registerLinearClassifier(KernelRegistry &registry) {
  registry.add("ml.LinearClassifier", {1}, foldLinearClassifier);
}
} // namespace onnxfold
