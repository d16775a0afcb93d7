//===- CumSum.cpp - Constant kernel of onnx.CumSum ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Running sums along an axis, which is an input. Spec: onnx CumSum, versions
// 11, 14. Each is rounded once; integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/ScanKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldCumSum(FoldContext &cx) {
  return foldScan(cx, cumulativeSum);
}

namespace onnxfold {
void registerCumSum(KernelRegistry &registry) {
  registry.add("CumSum", {11, 14}, foldCumSum);
}
} // namespace onnxfold
