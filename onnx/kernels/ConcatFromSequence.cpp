//===- ConcatFromSequence.cpp - Constant kernel of onnx.ConcatFromSequence ===//
// SPDX-License-Identifier: Apache-2.0
//
// The tensors of a sequence put together along an axis of theirs, or with
// `new_axis` along one more. Spec: onnx ConcatFromSequence, version 11.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Concatenation.h"
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldConcatFromSequence(FoldContext &cx) {
  ReasonOr<Sequence> input = sequenceInput(cx);
  if (!input)
    return input.reason();
  std::vector<Elements> parts = (*input)->tensors();
  if (parts.empty())
    return invalid("the sequence is empty");
  if (!cx.hasAttribute("axis"))
    return invalid("attribute 'axis' is missing");
  int64_t isNew = cx.integer("new_axis").value_or(0);
  if (isNew != 0 && isNew != 1)
    return invalid("attribute 'new_axis' is " + llvm::Twine(isNew));
  ReasonOr<int64_t> axis = axisOf(cx, 0, parts[0].rank() + isNew);
  if (!axis)
    return axis.reason();
  return isNew ? stacked(cx, parts, *axis, "tensor")
               : joined(cx, parts, *axis, "tensor");
}

namespace onnxfold {
void registerConcatFromSequence(KernelRegistry &registry) {
  registry.add("ConcatFromSequence", {11}, foldConcatFromSequence)
      .takesSequences();
}
} // namespace onnxfold
