//===- Optional.cpp - Constant kernel of onnx.Optional --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An optional that holds the input, or nothing. Spec: onnx Optional, versions
// 15, 28 (more types).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldOptional(FoldContext &cx) {
  return cx.hasInput(0) ? cx.anyInput(0) : FoldedValue::nothing();
}

namespace onnxfold {
void registerOptional(KernelRegistry &registry) {
  registry.add("Optional", {15, 28}, foldOptional).takesSequences();
}
} // namespace onnxfold
