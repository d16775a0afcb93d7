//===- IsNaN.cpp - Constant kernel of onnx.IsNaN --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// True where x is NaN. Spec: onnx IsNaN, versions 9, 13, 20 (float8).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldIsNaN(FoldContext &cx) {
  Elements x = cx.input(0);
  if (!isFloat(x.type()))
    return Elements();
  if (typeClass(x.type()) == TypeClass::SmallFloat)
    x = cast(x, DataType::Float32); // exact
  return mapTo<bool>(x, [](auto v) { return isNan(v); });
}

namespace onnxfold {
void registerIsNaN(KernelRegistry &registry) {
  registry.add("IsNaN", {9, 13, 20}, foldIsNaN);
}
} // namespace onnxfold
