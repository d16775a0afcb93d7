//===- QuantizeLinear.cpp - Constant kernel of onnx.QuantizeLinear --------===//
// SPDX-License-Identifier: Apache-2.0
//
// saturate(round_half_even(x / scale) + zero_point). Spec: onnx QuantizeLinear,
// versions 10 (by the tensor), 13 (by an axis), 19 (float8), 21 (by blocks,
// output_dtype), 23 (precision), 24, 25, 28.
// Only with --fold-quantization. 0 / 0 has no integer: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Quantization.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

/// For a program: of NaN both ONNX Runtime and the reference evaluator make the
/// lowest integer.
static Elements withLowestOfNaN(const Quantization &q) {
  DataType to = q.options.to;
  unsigned bits = bitWidth(to);
  int64_t low = isSigned(to) ? -(int64_t(1) << (bits - 1)) : 0;
  Elements lowest = cast(Elements::splat<int64_t>({}, low), to);
  return select(quotientIsNaN(q.x, q.scale, q.options), lowest,
                quantize(q.x, q.scale, q.zeroPoint, q.options));
}

/// A reason if a quotient is beyond i32, where the reference evaluator and ONNX
/// Runtime (halves, and all numbers that become 2 or 4 bits) do not saturate.
static Reason findBeyond(FoldContext &cx, const Quantization &q) {
  DataType to = q.options.to;
  bool isHalf = q.x.type() == DataType::Float16;
  if (mustDecide(cx) || !isInteger(to) || !(isHalf || isSubByte(to)))
    return {};
  auto bad =
      firstWhere<double>(quotients(q.x, q.scale, q.options),
                         [](double v) { return std::nearbyint(v) >= 0x1p31; });
  if (!bad)
    return {};
  return undefined("element " + toString(indexOf(*bad, q.x.shape())) +
                   " divided by its scale is beyond i32, where ONNX Runtime "
                   "has the smallest " +
                   name(to));
}

static FoldResult foldQuantizeLinear(FoldContext &cx) {
  ReasonOr<Quantization> q = quantizationOf(cx);
  if (!q)
    return q.reason();
  DataType zeroType = q->zeroPoint ? q->zeroPoint.type() : DataType::Undefined;
  if (q->options.to == DataType::Undefined)
    q->options.to = q->zeroPoint ? zeroType : DataType::UInt8;
  if (q->zeroPoint && q->options.to != zeroType)
    return invalid("attribute 'output_dtype' is " + name(q->options.to) +
                   ", the zero point has type " + name(zeroType));
  if (isInteger(q->options.to) && mustDecide(cx))
    return withLowestOfNaN(*q);
  if (isInteger(q->options.to))
    if (auto bad = firstNotQuantizable(q->x, q->scale, q->options))
      return undefined("element " + toString(indexOf(*bad, q->x.shape())) +
                       " divided by its scale is NaN");
  if (Reason beyond = findBeyond(cx, *q))
    return beyond;
  return quantize(q->x, q->scale, q->zeroPoint, q->options);
}

namespace onnxfold {
void registerQuantizeLinear(KernelRegistry &registry) {
  registry.add("QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
               foldQuantizeLinear);
}
} // namespace onnxfold
