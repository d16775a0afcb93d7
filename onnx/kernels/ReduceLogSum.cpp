//===- ReduceLogSum.cpp - Constant kernel of onnx.ReduceLogSum ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The logarithm of the sum along axes. Spec: onnx ReduceLogSum, versions 1,
// 11, 13, 18, 28. Axes are an attribute, from version 18 on an input. Of no
// elements: -inf. Logarithms for integers are cut off.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceLogSum(FoldContext &cx) {
  return foldReduction(cx, Reduction::LogSum);
}

namespace onnxfold {
void registerReduceLogSum(KernelRegistry &registry) {
  registry.add("ReduceLogSum", {1, 11, 13, 18, 28}, foldReduceLogSum)
      .costs(unitsOfReading);
}
} // namespace onnxfold
