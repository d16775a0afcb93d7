//===- SequenceLength.cpp - Constant kernel of onnx.SequenceLength --------===//
// SPDX-License-Identifier: Apache-2.0
//
// How many tensors there are. Spec: onnx SequenceLength, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceLength(FoldContext &cx) {
  ReasonOr<Sequence> input = sequenceInput(cx);
  if (!input)
    return input.reason();
  return Elements::splat<int64_t>({}, (*input)->size());
}

namespace onnxfold {
void registerSequenceLength(KernelRegistry &registry) {
  registry.add("SequenceLength", {11}, foldSequenceLength).takesSequences();
}
} // namespace onnxfold
