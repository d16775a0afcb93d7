//===- TreeEnsemble.cpp - Lowering of onnx.ml.TreeEnsemble ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The votes of trees, one of each leaf, aggregated, then post_transform. A set of
// members is a chain of comparisons with each.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Forest.h"
#include "onnxfold/dml/support/Scores.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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

namespace onnxfold::dml {
void registerTreeEnsembleLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.TreeEnsemble", {5}, lowerTreeEnsemble);
}
} // namespace onnxfold::dml
