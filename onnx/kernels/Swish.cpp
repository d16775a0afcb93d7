//===- Swish.cpp - Constant kernel of onnx.Swish --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x * sigmoid(alpha * x). Spec: onnx Swish, version 24. Direct: in double,
// rounded once, where the function body rounds three times.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Swish.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSwish(FoldContext &cx) {
  double alpha = cx.real("alpha").value_or(1);
  return roundedOnce(cx.input(0), [alpha](auto e) {
    return swish(cast(e[0], DataType::Float64), alpha);
  });
}

namespace onnxfold {
void registerSwish(KernelRegistry &registry) {
  registry.add("Swish", {24}, foldSwish).costs(unitsOfFunction);
}
} // namespace onnxfold
