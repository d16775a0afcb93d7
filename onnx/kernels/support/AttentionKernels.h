//===- AttentionKernels.h - What attention kernels share --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Computes scaled dot product attention in double: scores = scale * q * k',
// probabilities from the scores, and y = probabilities * v. Heads are views,
// also if several heads of q share one of k and v (grouped queries):
//
//   ReasonOr<AttentionShape> shape = attentionShape(cx, q, k, v);
//   if (!shape)
//     return shape.reason();
//   Elements scores = attentionScores(q, k, scale, shape);
//   Elements y = attentionValues(softmax(scores, 3), v, shape);
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_ATTENTIONKERNELS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_ATTENTIONKERNELS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// [batch, sequence, heads * size] as [batch, heads, sequence, size], and back.
/// REQUIRES: heads > 0 divides the last dimension.
Elements splitHeads(const Elements &x, int64_t heads);
Elements joinHeads(const Elements &x);

/// The sizes of q [batch, heads, queries, size], k [batch, sharedHeads, keys,
/// size] and v [batch, sharedHeads, keys, valueSize].
struct AttentionShape {
  int64_t batch, heads, sharedHeads, queries, keys, size, valueSize;

  Shape scores() const { return {batch, heads, queries, keys}; }
};
/// The sizes of the inputs; a reason if these do not fit, or the limits forbid
/// the computation.
ReasonOr<AttentionShape> attentionShape(FoldContext &cx, const Elements &q,
                                        const Elements &k, const Elements &v);

/// Attribute `scale`, by default 1 / sqrt(size); nothing if it is negative or
/// NaN: q and k are each multiplied by its square root.
std::optional<double> attentionScale(FoldContext &cx, int64_t size);

/// scale * q * k' in f64, [batch, heads, queries, keys].
Elements attentionScores(const Elements &q, const Elements &k, double scale,
                         const AttentionShape &shape);

/// The softmax of f64 scores, and attribute `softmax_precision`: if it is
/// present, the scores are rounded to that type before the softmax, and the
/// result after it.
Elements attentionSoftmax(FoldContext &cx, const Elements &scores);

/// A reason if attribute `softmax_precision` is no float type.
Reason checkSoftmaxPrecision(FoldContext &cx);

/// probabilities * v in f64, [batch, heads, queries, valueSize].
Elements attentionValues(const Elements &probabilities, const Elements &v,
                         const AttentionShape &shape);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_ATTENTIONKERNELS_H
