//===- Sign.cpp - Constant kernel of onnx.Sign ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// -1, 0 or 1 by the sign of x. Spec: onnx Sign, versions 9, 13.
// Both zeros give 0 and NaN gives NaN. In f16 and bf16 runtimes differ: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSign(FoldContext &cx) {
  // ONNX Runtime makes 0 of NaN for halves, and for no other type.
  if (bitWidth(cx.input(0).type()) == 16)
    if (Reason nan = checkNoNaN(cx, 0))
      return nan;
  return map(cx.input(0), [](auto v) {
    using T = decltype(v);
    return isNan(v) ? v : T(T(v > 0) - T(v < 0));
  });
}

namespace onnxfold {
void registerSign(KernelRegistry &registry) {
  registry.add("Sign", {9, 13}, foldSign);
}
} // namespace onnxfold
