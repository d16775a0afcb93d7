//===- SequenceInsert.cpp - Constant kernel of onnx.SequenceInsert --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A sequence with one tensor more, before a position, or at the end. Spec: onnx
// SequenceInsert, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceInsert(FoldContext &cx) {
  ReasonOr<Sequence> input = sequenceInput(cx);
  if (!input)
    return input.reason();
  const TensorList &list = **input;
  int64_t count = list.size();
  ReasonOr<int64_t> position = count;
  if (cx.hasInput(2))
    position = positionOf(cx, 2, count + 1, count);
  if (!position)
    return position.reason();
  Elements tensor = cx.anyInput(1).tensor;
  if (!tensor || (count != 0 && tensor.type() != list.front().type()))
    return invalid("input #1 is not a tensor of the sequence's type");
  return Sequence(
      std::make_shared<const TensorList>(list.inserted(*position, tensor)));
}

namespace onnxfold {
void registerSequenceInsert(KernelRegistry &registry) {
  registry.add("SequenceInsert", {11}, foldSequenceInsert).takesSequences();
}
} // namespace onnxfold
