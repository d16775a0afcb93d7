//===- Relu.cpp - Constant kernel of onnx.Relu ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = max(x, 0). Spec: onnx Relu, versions 1, 6, 13, 14 (signed integers).
// NaN gives NaN and -0 becomes 0, as numpy's maximum has it; unsigned types are
// not allowed.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldRelu(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (isUnsigned(x.type()))
    return Elements();
  return map(x, [](auto v) { return maximum(v, decltype(v)(0)); });
}

namespace onnxfold {
void registerRelu(KernelRegistry &registry) {
  registry.add("Relu", {1, 6, 13, 14}, foldRelu);
}
} // namespace onnxfold
