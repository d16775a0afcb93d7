//===- Concat.cpp - Constant kernel of onnx.Concat ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inputs one after the other along an axis. Spec: onnx Concat, versions 1
// (the axis is 1 by default), 4, 11 (negative axes), 13.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Concatenation.h"

using namespace onnxfold;

static FoldResult foldConcat(FoldContext &cx) {
  if (cx.version() >= 4 && !cx.hasAttribute("axis"))
    return invalid("attribute 'axis' is missing");
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    if (!cx.hasInput(i))
      return invalid("input #" + llvm::Twine(i) + " is missing");
    parts.push_back(cx.input(i));
  }
  ReasonOr<int64_t> axis = axisOf(cx, 1, parts[0].rank());
  if (!axis)
    return axis.reason();
  return joined(cx, parts, *axis, "input");
}

namespace onnxfold {
void registerConcat(KernelRegistry &registry) {
  registry.add("Concat", {1, 4, 11, 13}, foldConcat).movesSymbols();
}
} // namespace onnxfold
