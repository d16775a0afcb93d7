//===- FusedMatMul.cpp - Kernel of com.microsoft.FusedMatMul --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// alpha * A' * B' as numpy.matmul has it; transA, transB transpose matrices,
// transBatchA, transBatchB move the first dimension behind those of the batch.
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftFusedMatMul(FoldContext &cx) {
  return fusedMatMul(cx, /*hasBatches=*/true);
}

namespace onnxfold {
void registerMicrosoftFusedMatMul(KernelRegistry &registry) {
  registry.add("microsoft.FusedMatMul", {1}, foldMicrosoftFusedMatMul);
}
} // namespace onnxfold
