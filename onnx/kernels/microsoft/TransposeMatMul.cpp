//===- TransposeMatMul.cpp - Kernel of com.microsoft.TransposeMatMul ------===//
// SPDX-License-Identifier: Apache-2.0
//
// alpha * A' * B' as numpy.matmul has it; transA, transB transpose matrices:
// the old name of FusedMatMul. In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftTransposeMatMul(FoldContext &cx) {
  return fusedMatMul(cx, /*hasBatches=*/false);
}

namespace onnxfold {
void registerMicrosoftTransposeMatMul(KernelRegistry &registry) {
  registry.add("microsoft.TransposeMatMul", {1}, foldMicrosoftTransposeMatMul);
}
} // namespace onnxfold
