//===- Trees.cpp - Lowerings of tree ensembles in ai.onnx.ml --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// See support/Forest.h.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Forest.h"
#include "onnxfold/dml/support/Scores.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// The votes of trees, one of each leaf, aggregated, then post_transform. A set
/// of members is a chain of comparisons with each.
static Lowered lowerTreeEnsemble(LoweringContext &cx) {
  ReasonOr<Forest> forest = ensembleOf(cx);
  if (!forest)
    return Lowered::refused(forest.reason().text);
  constexpr llvm::StringLiteral aggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"},
                                transforms[] = {"NONE", "SOFTMAX", "LOGISTIC",
                                                "SOFTMAX_ZERO", "PROBIT"};
  int64_t aggregate = cx.op().getInt("aggregate_function", 1),
          transform = cx.op().getInt("post_transform", 0);
  if (aggregate < 0 || aggregate > 3 || transform < 0 || transform > 4)
    return Lowered::refused(
        "the aggregate function or post_transform is wrong");
  View scores;
  if (Lowered wrong = countVotes(cx, *forest, aggregates[aggregate], scores);
      !wrong.isDone())
    return wrong;
  return defineRegression(cx, scores, transforms[transform]);
}

// The votes of trees for each class plus base_values, the label of the largest
// score, and the scores after post_transform.
//
// Where all votes are for the first of two classes, their sum s is a score of
// the second one, as converters have it: 1 - s and s (no weight is negative, no
// transform) where s > 0.5 chooses the second, or -s and s (a weight is negative)
// where s > 0 does. Without a transform the latter is what ONNX Runtime computes
// and scikit-learn's converter relies on, while ONNX's reference evaluator has
// 1 - s and s there. Other cases are refused: runtimes do not agree.

static bool hasNegativeVotes(const Forest &forest) {
  return llvm::any_of(forest.votes,
                      [](const TreeVote &vote) { return vote.weight < 0; });
}

static bool hasVotesFor(const Forest &forest, int64_t target) {
  return llvm::any_of(forest.votes, [=](const TreeVote &vote) {
    return vote.target == target;
  });
}

static Lowered defineTwoClasses(LoweringContext &cx, const Forest &forest,
                                View scores, llvm::ArrayRef<int64_t> labels) {
  bool isNegative = hasNegativeVotes(forest);
  llvm::StringRef kind = cx.op().getString("post_transform", "NONE");
  bool isLogistic = kind == "LOGISTIC";
  if (isLogistic ? !isNegative : kind != "NONE")
    return Lowered::refused("runtimes do not agree on the votes for one of two "
                            "classes with these weights and post_transform");
  Expr s = cx.local("score", scores.expr);
  if (cx.isUsed(0)) {
    Expr number = Expr::binary(">", s, isNegative ? 0 : 0.5);
    defineLabels(cx, number, scores.rows, labels);
  }
  if (cx.isUsed(1)) {
    Expr both = call("cbind", {isNegative ? -s : 1 - s, s});
    cx.define(1, View{transformed(cx, both, kind), scores.rows, {2}});
  }
  return Lowered::done();
}

static Lowered lowerTreeEnsembleClassifier(LoweringContext &cx) {
  std::optional<Shape> labels = labelsOf(cx, "classlabels_int64s");
  if (!labels)
    return Lowered::refused("there are no labels");
  ReasonOr<Forest> forest = forestOf(cx, {"class", int64_t(labels->size())});
  if (!forest)
    return Lowered::refused(forest.reason().text);
  bool isBinary = labels->size() == 2 && !hasVotesFor(*forest, 1);
  if (labels->size() < 2 || (labels->size() == 2 && !hasVotesFor(*forest, 0)))
    return Lowered::refused("there are fewer than two classes, or no votes for "
                            "the first");
  if (isBinary)
    forest->targets = 1;
  ReasonOr<std::vector<double>> base = baseValuesOf(cx, forest->targets);
  if (!base)
    return Lowered::refused(base.reason().text);
  bool isDisputed =
      labels->size() > 2 && (!base->empty() || hasNegativeVotes(*forest));
  View scores;
  if (Lowered wrong =
          countVotes(cx, *forest, "SUM", scores,
                     isDisputed ? "a row may give a class no vote, and ONNX "
                                  "Runtime chooses among the others then"
                                : "");
      !wrong.isDone())
    return wrong;
  scores.expr = plusRow(cx, scores.expr, "base_values", *base);
  return isBinary ? defineTwoClasses(cx, *forest, scores, *labels)
                  : defineClasses(cx, scores, *labels);
}

/// The votes of trees for each target, aggregated, plus base_values, then
/// post_transform.
static Lowered lowerTreeEnsembleRegressor(LoweringContext &cx) {
  int64_t targets = cx.op().getInt("n_targets", 0);
  ReasonOr<Forest> forest = forestOf(cx, {"target", targets});
  ReasonOr<std::vector<double>> base = baseValuesOf(cx, targets);
  for (const Reason &wrong : {forest.reason(), base.reason()})
    if (wrong)
      return Lowered::refused(wrong.text);
  if (targets == 1 && hasRepeatedVote(*forest))
    return Lowered::refused("a leaf has several votes for the target, of which "
                            "ONNX Runtime counts the first");
  bool isDisputed = targets > 1 && llvm::any_of(*base, [](double value) {
                      return value != 0;
                    });
  View scores;
  if (Lowered wrong = countVotes(
          cx, *forest, cx.op().getString("aggregate_function", "SUM"), scores,
          isDisputed ? "a row may give a target no vote, whose base value ONNX "
                       "Runtime drops then"
                     : "");
      !wrong.isDone())
    return wrong;
  scores.expr = plusRow(cx, scores.expr, "base_values", *base);
  return defineRegression(cx, scores,
                          cx.op().getString("post_transform", "NONE"));
}

namespace onnxfold::dml {
void registerTreesLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.TreeEnsemble", {5}, lowerTreeEnsemble);
  registry.add("ai.onnx.ml.TreeEnsembleClassifier", {1, 3, 5},
               lowerTreeEnsembleClassifier);
  registry.add("ai.onnx.ml.TreeEnsembleRegressor", {1, 3, 5},
               lowerTreeEnsembleRegressor);
}
} // namespace onnxfold::dml
