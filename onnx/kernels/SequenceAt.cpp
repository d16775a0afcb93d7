//===- SequenceAt.cpp - Constant kernel of onnx.SequenceAt ----------------===//
//
// The tensor at a position. Spec: onnx SequenceAt, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceAt(FoldContext &cx) {
  SequenceInput input = sequenceInput(cx);
  if (input.wrong)
    return *input.wrong;
  int64_t count = input.sequence->size();
  Position position = positionOf(cx, 1, count, count);
  if (position.wrong)
    return *position.wrong;
  return (*input.sequence)[position.value];
}

namespace onnxfold {
void registerSequenceAt(KernelRegistry &registry) {
  registry.add("SequenceAt", {11}, foldSequenceAt).takesSequences();
}
} // namespace onnxfold
