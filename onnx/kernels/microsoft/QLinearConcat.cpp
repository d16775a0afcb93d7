//===- QLinearConcat.cpp - Kernel of com.microsoft.QLinearConcat ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Concat of quantised tensors, each with its scale and zero point, quantised
// anew. A tensor whose scale and zero point are those of the result is moved as
// it is, which is the same.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMicrosoftQLinearConcat(FoldContext &cx) {
  unsigned count = cx.numInputs();
  if (count < 5 || count % 3 != 2)
    return invalid("there are " + llvm::Twine(count) +
                   " inputs, expected two, and three for each tensor");
  llvm::SmallVector<InputRule> rules = {{float32}, {bytes}};
  for (unsigned i = 2; i < count; i += 3)
    rules.append({{bytes, 1}, {float32}, {bytes, 1}});
  if (Reason wrong = checkInputs(cx, rules))
    return wrong;
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 2; i < count; i += 3) {
    ReasonOr<Elements> part = dequantizedInput(cx, i);
    if (!part)
      return part.reason();
    parts.push_back(*part);
  }
  if (!cx.hasAttribute("axis"))
    return invalid("attribute 'axis' is missing");
  FoldResult y = runStandard(cx, "Concat", 13, parts);
  return y ? quantizedResult(cx, y.values()[0].tensor, 0, cx.input(1).type())
           : y;
}

namespace onnxfold {
void registerMicrosoftQLinearConcat(KernelRegistry &registry) {
  registry.add("microsoft.QLinearConcat", {1}, foldMicrosoftQLinearConcat)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
