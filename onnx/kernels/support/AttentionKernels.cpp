//===- AttentionKernels.cpp - What attention kernels share ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/AttentionKernels.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Reduce.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

Elements onnxfold::splitHeads(const Elements &x, int64_t heads) {
  return x.reshape({x.dim(0), x.dim(1), heads, x.dim(2) / heads})
      .transpose({0, 2, 1, 3});
}

Elements onnxfold::joinHeads(const Elements &x) {
  return x.transpose({0, 2, 1, 3})
      .reshape({x.dim(0), x.dim(2), x.dim(1) * x.dim(3)});
}

ReasonOr<AttentionShape> onnxfold::attentionShape(FoldContext &cx,
                                                  const Elements &q,
                                                  const Elements &k,
                                                  const Elements &v) {
  AttentionShape s = {q.dim(0), q.dim(1), k.dim(1), q.dim(2),
                      k.dim(2), q.dim(3), v.dim(3)};
  bool shares = s.sharedHeads > 0 ? s.heads % s.sharedHeads == 0 : s.heads == 0;
  if (typeClass(q.type()) != TypeClass::Float ||
      typeClass(v.type()) != TypeClass::Float)
    return notFolded(ReasonCode::UnsupportedType, "Q and V have types " +
                                                      name(q.type()) + " and " +
                                                      name(v.type()));
  if (!shares ||
      k.shape() != ShapeRef({s.batch, s.sharedHeads, s.keys, s.size}) ||
      v.shape() != ShapeRef({s.batch, s.sharedHeads, s.keys, s.valueSize}))
    return invalid("Q, K and V of shapes " + toString(q.shape()) + ", " +
                   toString(k.shape()) + " and " + toString(v.shape()) +
                   " do not go together");
  // Empty tensors may have any dimensions: those that are multiplied here.
  if (!checkedNumElements({s.heads, s.valueSize}) ||
      !checkedNumElements({s.heads, s.queries}))
    return invalid("heads of " + toString(q.shape()) + " and " +
                   toString(v.shape()) + " are too many to count");
  if (Reason limit = cx.checkResult(DataType::Float64, s.scores()))
    return limit;
  if (Reason limit = cx.checkResult(DataType::Float64,
                                    {s.batch, s.heads, s.queries, s.valueSize}))
    return limit;
  if (Reason limit = cx.checkWork(double(numElements(s.scores())) *
                                  (double(s.size) + double(s.valueSize))))
    return limit;
  return s;
}

std::optional<double> onnxfold::attentionScale(FoldContext &cx, int64_t size) {
  if (std::optional<float> scale = cx.real("scale"))
    return *scale >= 0 ? std::optional<double>(*scale) : std::nullopt;
  return 1 / std::sqrt(double(size));
}

/// The heads that share one of k and v as rows of one matrix.
static Elements grouped(const Elements &x, const AttentionShape &s) {
  int64_t group = s.sharedHeads > 0 ? s.heads / s.sharedHeads : 0;
  return x.reshape({s.batch, s.sharedHeads, group * s.queries, x.dim(3)});
}

static Elements ungrouped(const Elements &x, const AttentionShape &s) {
  return x.reshape({s.batch, s.heads, s.queries, x.dim(3)});
}

Elements onnxfold::attentionScores(const Elements &q, const Elements &k,
                                   double scale, const AttentionShape &shape) {
  // Before the product: of no elements it is 0, whatever the scale is.
  Elements scaled = mapAs<double, double>(
      q.unrounded(), [scale](double v) { return v * scale; });
  return ungrouped(
      matmul(grouped(scaled, shape), k.unrounded().transpose({0, 1, 3, 2})),
      shape);
}

Reason onnxfold::checkSoftmaxPrecision(FoldContext &cx) {
  std::optional<int64_t> number = cx.integer("softmax_precision");
  if (!number ||
      (isDataType(*number) && typeClass(DataType(*number)) == TypeClass::Float))
    return {};
  return invalid("attribute 'softmax_precision' is " + llvm::Twine(*number) +
                 ", expected 1, 10, 11 or 16");
}

Elements onnxfold::attentionSoftmax(FoldContext &cx, const Elements &scores) {
  std::optional<int64_t> number = cx.integer("softmax_precision");
  if (!number)
    return softmax(scores, 3);
  auto rounded = [&](const Elements &x) {
    return cast(cast(x, DataType(*number)), DataType::Float64);
  };
  return rounded(softmax(rounded(scores), 3));
}

Elements onnxfold::attentionValues(const Elements &probabilities,
                                   const Elements &v,
                                   const AttentionShape &shape) {
  return ungrouped(matmul(grouped(probabilities, shape), v.unrounded()), shape);
}
