//===- CumProd.cpp - Constant kernel of onnx.CumProd ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Running products along an axis, which is an input. Spec: onnx CumProd,
// version 26. Each is rounded once; integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/ScanKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldCumProd(FoldContext &cx) {
  return foldScan(cx, cumulativeProduct);
}

namespace onnxfold {
void registerCumProd(KernelRegistry &registry) {
  registry.add("CumProd", {26}, foldCumProd);
}
} // namespace onnxfold
