//===- SequenceLength.cpp - Constant kernel of onnx.SequenceLength --------===//
//
// How many tensors there are. Spec: onnx SequenceLength, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceLength(FoldContext &cx) {
  SequenceInput input = sequenceInput(cx);
  if (input.wrong)
    return *input.wrong;
  return Elements::splat<int64_t>({}, input.sequence->size());
}

namespace onnxfold {
void registerSequenceLength(KernelRegistry &registry) {
  registry.add("SequenceLength", {11}, foldSequenceLength).takesSequences();
}
} // namespace onnxfold
