//===- BitwiseOr.cpp - Constant kernel of onnx.BitwiseOr ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x or y, bit by bit, on integers, broadcast. Spec: onnx BitwiseOr,
// version 18.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Bitwise.h"

using namespace onnxfold;

static FoldResult foldBitwiseOr(FoldContext &cx) {
  return foldBitwise(cx, [](auto a, auto b) { return a | b; });
}

namespace onnxfold {
void registerBitwiseOr(KernelRegistry &registry) {
  registry.add("BitwiseOr", {18}, foldBitwiseOr);
}
} // namespace onnxfold
