//===- ReduceSum.cpp - Constant kernel of onnx.ReduceSum ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sum along axes. Spec: onnx ReduceSum, versions 1, 11, 13. Axes are an
// attribute, from version 13 on an input. Of no elements: 0. Integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceSum(FoldContext &cx) {
  return foldReduction(cx, Reduction::Sum, /*inputSince=*/13);
}

namespace onnxfold {
void registerReduceSum(KernelRegistry &registry) {
  registry.add("ReduceSum", {1, 11, 13}, foldReduceSum)
      .movesSymbols(0)
      .costs(unitsOfReading);
}
} // namespace onnxfold
