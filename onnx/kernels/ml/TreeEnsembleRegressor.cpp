//===- TreeEnsembleRegressor.cpp - onnx.ml.TreeEnsembleRegressor ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The votes of trees for each target, aggregated, plus base_values, then
// post_transform (support/Trees.h, support/Scores.h). Spec: onnx.ml
// TreeEnsembleRegressor, versions 1, 3 (lists as tensors of doubles), 5
// (deprecated). In double, rounded once to f32.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Trees.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold;

static FoldResult foldTreeEnsembleRegressor(FoldContext &cx) {
  ReasonOr<FeatureMatrix> x = featuresOf(cx, /*vectorToo=*/false);
  ReasonOr<Transform> transform = postTransformOf(cx);
  for (const Reason &wrong : {x.reason(), transform.reason()})
    if (wrong)
      return wrong;
  std::string function = cx.string("aggregate_function").value_or("SUM");
  auto aggregate = llvm::StringSwitch<std::optional<Aggregate>>(function)
                       .Case("AVERAGE", Aggregate::Average)
                       .Case("SUM", Aggregate::Sum)
                       .Case("MIN", Aggregate::Min)
                       .Case("MAX", Aggregate::Max)
                       .Default(std::nullopt);
  int64_t targets = cx.integer("n_targets").value_or(0);
  auto base = realsOrTensor(cx, "base_values");
  if (!aggregate || targets < 1 || !base ||
      (!base->empty() && int64_t(base->size()) != targets))
    return invalid("attributes 'aggregate_function' ('" + function +
                   "'), 'n_targets' (" + llvm::Twine(targets) +
                   ") or 'base_values' are wrong");
  ReasonOr<Forest> forest = readForest(cx, *x, {"target", targets});
  if (!forest)
    return forest.reason();
  if (targets == 1 && hasRepeatedVote(*forest) && !mustDecide(cx))
    return undefined("a leaf has several votes for the target, of which ONNX "
                     "Runtime counts the first");
  llvm::StringRef dropsBase = "a row gives a target no vote, whose base value "
                              "ONNX Runtime drops";
  bool isDisputed = targets > 1 && !base->empty() && !mustDecide(cx);
  ReasonOr<Scores> scores =
      countVotes(cx, *forest, *x, *aggregate, isDisputed ? dropsBase : "");
  if (!scores)
    return scores.reason();
  for (int64_t i = 0; !base->empty() && i < scores->rows; ++i)
    for (auto [score, value] : llvm::zip_equal(scores->row(i), *base))
      score += value;
  return regress(std::move(*scores), *transform, DataType::Float32);
}

namespace onnxfold {
void registerTreeEnsembleRegressor(KernelRegistry &registry) {
  registry.add("ml.TreeEnsembleRegressor", {1, 3, 5},
               foldTreeEnsembleRegressor);
}
} // namespace onnxfold
