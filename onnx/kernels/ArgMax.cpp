//===- ArgMax.cpp - Constant kernel of onnx.ArgMax ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The index of the largest element along an axis. Spec: onnx ArgMax, versions
// 1, 11, 12 (select_last_index), 13. Of equal elements the first. With a
// NaN among them runtimes differ: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;

static FoldResult foldArgMax(FoldContext &cx) {
  return foldArgReduction(cx, /*largest=*/true);
}

namespace onnxfold {
void registerArgMax(KernelRegistry &registry) {
  registry.add("ArgMax", {1, 11, 12, 13}, foldArgMax).costs(unitsOfReading);
}
} // namespace onnxfold
