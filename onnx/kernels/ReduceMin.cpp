//===- ReduceMin.cpp - Constant kernel of onnx.ReduceMin ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smallest element along axes. Spec: onnx ReduceMin, versions 1, 11, 12,
// 13, 18, 20. Axes are an attribute, from version 18 on an input. With a NaN
// runtimes differ: kept. Of no elements the highest value
// of the type, inf or true. Bools from version 20.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceMin(FoldContext &cx) {
  return foldReduction(cx, Reduction::Min);
}

namespace onnxfold {
void registerReduceMin(KernelRegistry &registry) {
  registry.add("ReduceMin", {1, 11, 12, 13, 18, 20}, foldReduceMin)
      .movesSymbols(0)
      .costs(unitsOfReading);
}
} // namespace onnxfold
