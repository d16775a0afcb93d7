//===- OptionalGetElement.cpp - Constant kernel of onnx.OptionalGetElement ===//
// SPDX-License-Identifier: Apache-2.0
//
// What an optional holds. Spec: onnx OptionalGetElement, versions 15, 18 (of
// tensors and sequences: themselves), 28 (more types).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldOptionalGetElement(FoldContext &cx) {
  if (!cx.hasInput(0) || cx.anyInput(0).isNothing)
    return invalid("the optional holds nothing");
  return cx.anyInput(0);
}

namespace onnxfold {
void registerOptionalGetElement(KernelRegistry &registry) {
  registry.add("OptionalGetElement", {15, 18, 28}, foldOptionalGetElement)
      .takesSequences();
}
} // namespace onnxfold
