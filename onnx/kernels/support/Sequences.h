//===- Sequences.h - Sequences as inputs of kernels -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of the kernels of sequences, which are registered with
// takesSequences(). The evaluation of users knows their results (FoldResult.h),
// but the operation is kept if one of its users is kept.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SEQUENCES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SEQUENCES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// Input #0 as a sequence that is not null, or a reason.
ReasonOr<Sequence> sequenceInput(FoldContext &cx);

/// Input #i, a tensor of one integer, as a position in [0, count); negative
/// ones count from the end, which is `end`.
ReasonOr<int64_t> positionOf(FoldContext &cx, unsigned i, int64_t count,
                             int64_t end);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SEQUENCES_H
