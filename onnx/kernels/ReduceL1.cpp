//===- ReduceL1.cpp - Constant kernel of onnx.ReduceL1 --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sum of |x| along axes. Spec: onnx ReduceL1, versions 1, 11, 13, 18. Axes
// are an attribute, from version 18 on an input.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceL1(FoldContext &cx) {
  return foldReduction(cx, Reduction::L1);
}

namespace onnxfold {
void registerReduceL1(KernelRegistry &registry) {
  registry.add("ReduceL1", {1, 11, 13, 18}, foldReduceL1).costs(unitsOfReading);
}
} // namespace onnxfold
