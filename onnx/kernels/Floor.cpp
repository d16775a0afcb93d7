//===- Floor.cpp - Constant kernel of onnx.Floor --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest integer not above x. Spec: onnx Floor, versions 1, 6, 13. -0,
// NaN and infinities are kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldFloor(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Floor);
  return mapFloat(cx.input(0), [](auto v) { return std::floor(v); });
}

namespace onnxfold {
void registerFloor(KernelRegistry &registry) {
  registry.add("Floor", {1, 6, 13}, foldFloor).movesSymbols();
}
} // namespace onnxfold
