//===- ReduceMax.cpp - Constant kernel of onnx.ReduceMax ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest element along axes. Spec: onnx ReduceMax, versions 1, 11, 12,
// 13, 18, 20. Axes are an attribute, from version 18 on an input. With a NaN
// runtimes differ: kept. Of no elements the lowest value
// of the type, -inf or false. Bools from version 20.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Reduction.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldReduceMax(FoldContext &cx) {
  return foldReduction(cx, Reduction::Max);
}

namespace onnxfold {
void registerReduceMax(KernelRegistry &registry) {
  registry.add("ReduceMax", {1, 11, 12, 13, 18, 20}, foldReduceMax)
      .movesSymbols(0)
      .costs(unitsOfReading);
}
} // namespace onnxfold
