//===- ReduceL2.cpp - Constant kernel of onnx.ReduceL2 --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The square root of the sum of x * x along axes. Spec: onnx ReduceL2,
// versions 1, 11, 13, 18. Axes are an attribute, from version 18 on an input.
// The root for integers is cut off.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceL2(FoldContext &cx) {
  return foldReduction(cx, Reduction::L2);
}

namespace onnxfold {
void registerReduceL2(KernelRegistry &registry) {
  registry.add("ReduceL2", {1, 11, 13, 18}, foldReduceL2).costs(unitsOfReading);
}
} // namespace onnxfold
