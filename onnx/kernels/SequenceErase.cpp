//===- SequenceErase.cpp - Constant kernel of onnx.SequenceErase ----------===//
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
  std::vector<Elements> tensors = **input;
  int64_t count = tensors.size();
  if (count == 0)
    return invalid("the sequence is empty");
  ReasonOr<int64_t> position = count - 1;
  if (cx.hasInput(1))
    position = positionOf(cx, 1, count, count);
  if (!position)
    return position.reason();
  tensors.erase(tensors.begin() + *position);
  return makeSequence(std::move(tensors));
}

namespace onnxfold {
void registerSequenceErase(KernelRegistry &registry) {
  registry.add("SequenceErase", {11}, foldSequenceErase).takesSequences();
}
} // namespace onnxfold
