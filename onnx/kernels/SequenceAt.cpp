//===- SequenceAt.cpp - Constant kernel of onnx.SequenceAt ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The tensor at a position. Spec: onnx SequenceAt, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceAt(FoldContext &cx) {
  ReasonOr<Sequence> input = sequenceInput(cx);
  if (!input)
    return input.reason();
  int64_t count = (*input)->size();
  ReasonOr<int64_t> position = positionOf(cx, 1, count, count);
  if (!position)
    return position.reason();
  return (**input)[*position];
}

namespace onnxfold {
void registerSequenceAt(KernelRegistry &registry) {
  registry.add("SequenceAt", {11}, foldSequenceAt).takesSequences();
}
} // namespace onnxfold
