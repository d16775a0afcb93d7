//===- FlexAttention.cpp - Kernel of onnx.preview.FlexAttention -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = softmax(scale * q * k') * v for each head; heads of k and v may serve
// several heads of q, and graphs may change scores and probabilities. Spec:
// ai.onnx.preview FlexAttention, version 1. Direct: in double, rounded once; a
// graph sees values in `softmax_precision`, by default at least f32.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/AttentionKernels.h"
#include "onnxfold/onnx/kernels/support/Bodies.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;

/// Runs the graph of an attribute on the values, if there is
/// one.
static Reason modify(FoldContext &cx, llvm::StringRef attribute,
                     Elements &values) {
  int64_t results = graphResults(cx, attribute);
  if (results == 0)
    return {};
  bool isDouble = cx.input(0).type() == DataType::Float64;
  DataType precision = DataType(
      cx.integer("softmax_precision")
          .value_or(int64_t(isDouble ? DataType::Float64 : DataType::Float32)));
  FoldResult made =
      runGraph(cx, attribute, {roundedResult(cx, values, precision)});
  if (!made)
    return made.reason();
  Elements modified =
      made.values().size() == 1 ? made.values()[0].tensor : Elements();
  if (!modified || modified.type() != precision ||
      modified.shape() != values.shape())
    return invalid("the graph of attribute '" + attribute +
                   "' makes something else than " + name(precision) +
                   toString(values.shape()));
  values = modified.unrounded();
  return {};
}

static FoldResult foldFlexAttention(FoldContext &cx) {
  const Elements &q = cx.input(0), &k = cx.input(1), &v = cx.input(2);
  if (k.type() != q.type() || v.type() != q.type())
    return invalid("inputs have different element types");
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4)
    return invalid("Q, K and V have ranks " + llvm::Twine(q.rank()) + ", " +
                   llvm::Twine(k.rank()) + " and " + llvm::Twine(v.rank()) +
                   ", expected 4");
  if (Reason wrong = checkSoftmaxPrecision(cx))
    return wrong;
  ReasonOr<AttentionShape> sizes = attentionShape(cx, q, k, v);
  if (!sizes)
    return sizes.reason();
  const AttentionShape &shape = *sizes;
  std::optional<double> scale = attentionScale(cx, shape.size);
  if (!scale)
    return undefined("attribute 'scale' has no square root");
  Elements values = attentionScores(q, k, *scale, shape);
  if (Reason wrong = modify(cx, "score_mod", values))
    return wrong;
  values = attentionSoftmax(cx, values);
  if (Reason wrong = modify(cx, "prob_mod", values))
    return wrong;
  return roundedResult(cx, attentionValues(values, v, shape));
}

namespace onnxfold {
void registerFlexAttention(KernelRegistry &registry) {
  registry.add("preview.FlexAttention", {1}, foldFlexAttention);
}
} // namespace onnxfold
