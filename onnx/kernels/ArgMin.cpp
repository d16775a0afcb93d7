//===- ArgMin.cpp - Constant kernel of onnx.ArgMin ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The index of the smallest element along an axis. Spec: onnx ArgMin, versions
// 1, 11, 12 (select_last_index), 13. Of equal elements the first. With a
// NaN among them runtimes differ: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;

static FoldResult foldArgMin(FoldContext &cx) {
  return foldArgReduction(cx, /*largest=*/false);
}

namespace onnxfold {
void registerArgMin(KernelRegistry &registry) {
  registry.add("ArgMin", {1, 11, 12, 13}, foldArgMin).costs(unitsOfReading);
}
} // namespace onnxfold
