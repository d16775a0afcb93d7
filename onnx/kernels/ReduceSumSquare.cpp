//===- ReduceSumSquare.cpp - Constant kernel of onnx.ReduceSumSquare ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sum of x * x along axes. Spec: onnx ReduceSumSquare, versions 1, 11, 13,
// 18. Axes are an attribute, from version 18 on an input. Of no elements: 0.
// Integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceSumSquare(FoldContext &cx) {
  return foldReduction(cx, Reduction::SumSquare);
}

namespace onnxfold {
void registerReduceSumSquare(KernelRegistry &registry) {
  registry.add("ReduceSumSquare", {1, 11, 13, 18}, foldReduceSumSquare)
      .costs(unitsOfReading);
}
} // namespace onnxfold
