//===- SequenceEmpty.cpp - Constant kernel of onnx.SequenceEmpty ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A sequence of no tensors. Spec: onnx SequenceEmpty, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceEmpty(FoldContext &) { return makeSequence({}); }

namespace onnxfold {
void registerSequenceEmpty(KernelRegistry &registry) {
  registry.add("SequenceEmpty", {11}, foldSequenceEmpty);
}
} // namespace onnxfold
