//===- Sign.cpp - Constant kernel of onnx.Sign ----------------------------===//
//
// -1, 0 or 1 by the sign of x. Spec: onnx Sign, versions 9, 13.
// Both zeros give 0 and NaN gives NaN, as numpy has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSign(FoldContext &cx) {
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
