//===- BitwiseXor.cpp - Lowering of onnx.BitwiseXor ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// DML's functions have 32 bits, with a sign; more bits are helper bitwise_and
// and sums within 2^53.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Bits.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerBitwiseXor(LoweringContext &cx) {
  return lowerBitwise(cx, "bitwXor", [](Expr x, Expr y, Expr both) {
    return (x - both) + (y - both);
  });
}

namespace onnxfold::dml {
void registerBitwiseXorLowering(LoweringRegistry &registry) {
  registry.add("BitwiseXor", {18}, lowerBitwiseXor);
}
} // namespace onnxfold::dml
