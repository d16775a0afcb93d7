//===- SequenceConstruct.cpp - Constant kernel of onnx.SequenceConstruct --===//
// SPDX-License-Identifier: Apache-2.0
//
// The inputs as a sequence. Spec: onnx SequenceConstruct, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceConstruct(FoldContext &cx) {
  if (Reason mismatch = checkSameType(cx))
    return mismatch;
  std::vector<Elements> tensors;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    tensors.push_back(cx.input(i));
  return makeSequence(tensors);
}

namespace onnxfold {
void registerSequenceConstruct(KernelRegistry &registry) {
  registry.add("SequenceConstruct", {11}, foldSequenceConstruct);
}
} // namespace onnxfold
