//===- BitwiseAnd.cpp - Constant kernel of onnx.BitwiseAnd ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x and y, bit by bit, on integers, broadcast. Spec: onnx BitwiseAnd,
// version 18.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Bitwise.h"

using namespace onnxfold;

static FoldResult foldBitwiseAnd(FoldContext &cx) {
  return foldBitwise(cx, [](auto a, auto b) { return a & b; });
}

namespace onnxfold {
void registerBitwiseAnd(KernelRegistry &registry) {
  registry.add("BitwiseAnd", {18}, foldBitwiseAnd);
}
} // namespace onnxfold
