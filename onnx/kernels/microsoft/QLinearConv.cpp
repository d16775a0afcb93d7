//===- QLinearConv.cpp - Kernel of com.microsoft.QLinearConv --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The standard's QLinearConv; with attribute `channels_last` x and y have their
// channels as the last dimension.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftQLinearConv(FoldContext &cx) {
  if (Reason wrong =
          checkInputs(cx, {{bytes},
                           {float32},
                           {bytes, 0},
                           {bytes},
                           {float32},
                           {bytes, 3},
                           {float32},
                           {bytes},
                           {int32, InputRule::any, InputRule::Optional}}))
    return wrong;
  bool isLast = cx.integer("channels_last").value_or(0) != 0;
  llvm::SmallVector<Elements> inputs;
  for (unsigned i = 0; i < 9; ++i)
    inputs.push_back(cx.hasInput(i) ? cx.input(i) : Elements());
  if (isLast)
    inputs[0] = channelsSecond(inputs[0]);
  FoldResult y = runStandard(cx, "QLinearConv", 10, inputs);
  return y && isLast ? channelsLast(y.values()[0].tensor) : y;
}

namespace onnxfold {
void registerMicrosoftQLinearConv(KernelRegistry &registry) {
  registry.add("microsoft.QLinearConv", {1}, foldMicrosoftQLinearConv);
}
} // namespace onnxfold
