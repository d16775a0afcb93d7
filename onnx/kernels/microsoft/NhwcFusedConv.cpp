//===- NhwcFusedConv.cpp - Kernel of com.microsoft.NhwcFusedConv ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// activation(Conv(X, W, B) + Z) of images whose channels are the last
// dimension; W is as in Conv. In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftNhwcFusedConv(FoldContext &cx) {
  return fusedConvolution(cx, /*isChannelsLast=*/true);
}

namespace onnxfold {
void registerMicrosoftNhwcFusedConv(KernelRegistry &registry) {
  registry.add("microsoft.NhwcFusedConv", {1}, foldMicrosoftNhwcFusedConv);
}
} // namespace onnxfold
