//===- BitwiseXor.cpp - Constant kernel of onnx.BitwiseXor ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x xor y, bit by bit, on integers, broadcast. Spec: onnx BitwiseXor,
// version 18.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Bitwise.h"

using namespace onnxfold;

static FoldResult foldBitwiseXor(FoldContext &cx) {
  return foldBitwise(cx, [](auto a, auto b) { return a ^ b; });
}

namespace onnxfold {
void registerBitwiseXor(KernelRegistry &registry) {
  registry.add("BitwiseXor", {18}, foldBitwiseXor);
}
} // namespace onnxfold
