//===- SequenceErase.cpp - Constant kernel of onnx.SequenceErase ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A sequence without the tensor at a position, by default the last. Spec: onnx
// SequenceErase, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceErase(FoldContext &cx) {
  ReasonOr<Sequence> input = sequenceInput(cx);
  if (!input)
    return input.reason();
  const TensorList &list = **input;
  int64_t count = list.size();
  if (count == 0)
    return invalid("the sequence is empty");
  ReasonOr<int64_t> position = count - 1;
  if (cx.hasInput(1))
    position = positionOf(cx, 1, count, count);
  if (!position)
    return position.reason();
  return Sequence(std::make_shared<const TensorList>(list.erased(*position)));
}

namespace onnxfold {
void registerSequenceErase(KernelRegistry &registry) {
  registry.add("SequenceErase", {11}, foldSequenceErase).takesSequences();
}
} // namespace onnxfold
