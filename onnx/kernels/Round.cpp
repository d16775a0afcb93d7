//===- Round.cpp - Constant kernel of onnx.Round --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The nearest integer, halfway cases to the even one. Spec: onnx Round,
// versions 11, 22. Signed zeros, NaN and infinities are kept. The default
// rounding mode of the processor, which nobody changes here, is to nearest
// even.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldRound(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Round);
  return mapFloat(cx.input(0), [](auto v) { return std::nearbyint(v); });
}

namespace onnxfold {
void registerRound(KernelRegistry &registry) {
  registry.add("Round", {11, 22}, foldRound).movesSymbols();
}
} // namespace onnxfold
