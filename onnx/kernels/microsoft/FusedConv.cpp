//===- FusedConv.cpp - Kernel of com.microsoft.FusedConv ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// activation(Conv(X, W, B) + Z). In double, rounded once. An activation whose
// parameters are not given is kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftFusedConv(FoldContext &cx) {
  return fusedConvolution(cx, /*isChannelsLast=*/false);
}

namespace onnxfold {
void registerMicrosoftFusedConv(KernelRegistry &registry) {
  registry.add("microsoft.FusedConv", {1}, foldMicrosoftFusedConv);
}
} // namespace onnxfold
