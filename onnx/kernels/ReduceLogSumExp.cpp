//===- ReduceLogSumExp.cpp - Constant kernel of onnx.ReduceLogSumExp ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The logarithm of the sum of exp(x) along axes. Spec: onnx ReduceLogSumExp,
// versions 1, 11, 13, 18, 28. Axes are an attribute, from version 18 on an
// input. Without overflow of the sum; of no elements: -inf. Logarithms for
// integers are cut off.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceLogSumExp(FoldContext &cx) {
  return foldReduction(cx, Reduction::LogSumExp);
}

namespace onnxfold {
void registerReduceLogSumExp(KernelRegistry &registry) {
  registry.add("ReduceLogSumExp", {1, 11, 13, 18, 28}, foldReduceLogSumExp)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
