//===- TreeEnsemble.cpp - Constant kernel of onnx.ml.TreeEnsemble ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The weights of the leaves that x reaches for each target, aggregated, then
// post_transform (support/Trees.h, support/Scores.h). Spec: onnx.ml
// TreeEnsemble, version 5. In double, rounded once to the type of x.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Trees.h"

using namespace onnxfold;

static FoldResult foldTreeEnsemble(FoldContext &cx) {
  ReasonOr<FeatureMatrix> x = featuresOf(cx, /*vectorToo=*/false);
  if (!x)
    return x.reason();
  DataType type = cx.input(0).type();
  int64_t aggregate = cx.integer("aggregate_function").value_or(1);
  int64_t transform = cx.integer("post_transform").value_or(0);
  if (typeClass(type) != TypeClass::Float || aggregate < 0 ||
      aggregate > int64_t(Aggregate::Max) || transform < 0 ||
      transform > int64_t(Transform::Probit))
    return invalid("attribute 'aggregate_function' is " +
                   llvm::Twine(aggregate) + ", 'post_transform' " +
                   llvm::Twine(transform) + " for input #0 of " + name(type));
  if (cx.integer("n_targets").value_or(0) < 1)
    return undefined("attribute 'n_targets' is missing");
  bool isDisputed = Transform(transform) == Transform::Logistic ||
                    Transform(transform) == Transform::Softmax;
  if (isDisputed && !mustDecide(cx))
    return undefined("attribute 'post_transform' is " + llvm::Twine(transform) +
                     ", of which ONNX Runtime makes another transform");
  ReasonOr<Forest> forest = readEnsemble(cx, *x);
  if (!forest)
    return forest.reason();
  ReasonOr<Scores> scores = countVotes(cx, *forest, *x, Aggregate(aggregate));
  if (!scores)
    return scores.reason();
  return regress(std::move(*scores), Transform(transform), type);
}

namespace onnxfold {
void registerTreeEnsemble(KernelRegistry &registry) {
  registry.add("ml.TreeEnsemble", {5}, foldTreeEnsemble);
}
} // namespace onnxfold
