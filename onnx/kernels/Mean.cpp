//===- Mean.cpp - Constant kernel of onnx.Mean ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The mean of all inputs, broadcast. Spec: onnx Mean, versions 1, 6 (equal
// shapes), 8 (numpy broadcasting), 13.
// The sum as Sum has it, rounded after each addition, divided by the number of
// inputs, as the reference evaluator does it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMean(FoldContext &cx) {
  FoldResult sum = foldVariadic(cx, [](const Elements &x, const Elements &y) {
    return zip(x, y, [](auto a, auto b) { return add(a, b); });
  });
  if (!sum || !sum.values()[0].tensor)
    return sum;
  return mapFloat(sum.values()[0].tensor,
                  [count = float(cx.numInputs())](auto v) {
                    return v / decltype(v)(count);
                  });
}

namespace onnxfold {
void registerMean(KernelRegistry &registry) {
  registry.add("Mean", {1, 6, 8, 13}, foldMean);
}
} // namespace onnxfold
