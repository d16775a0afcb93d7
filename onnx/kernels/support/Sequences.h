//===- Sequences.h - Sequences as inputs of kernels -------------*- C++ -*-===//
//
// The common part of the kernels of sequences. They say takesSequences(). Their
// results are known to users (FoldResult.h), but the operation is kept if one
// of these is kept.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SEQUENCES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SEQUENCES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

inline Sequence makeSequence(std::vector<Elements> tensors) {
  return std::make_shared<const std::vector<Elements>>(std::move(tensors));
}

/// Input #0 as a sequence, or null and what is wrong with it.
struct SequenceInput {
  Sequence sequence;
  std::optional<Reason> wrong;
};
SequenceInput sequenceInput(FoldContext &cx);

/// Input #i, a tensor of one integer, as a position in [0, count); negative
/// ones count from the end, which is `end`.
struct Position {
  int64_t value = 0;
  std::optional<Reason> wrong;
};
Position positionOf(FoldContext &cx, unsigned i, int64_t count, int64_t end);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SEQUENCES_H
