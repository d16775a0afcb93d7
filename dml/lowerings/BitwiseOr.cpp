//===- BitwiseOr.cpp - Lowering of onnx.BitwiseOr ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// DML's functions have 32 bits, with a sign; more bits are helper bitwise_and
// and sums within 2^53.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Bits.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerBitwiseOr(LoweringContext &cx) {
  return lowerBitwise(cx, "bitwOr",
                      [](Expr x, Expr y, Expr both) { return x + (y - both); });
}

namespace onnxfold::dml {
void registerBitwiseOrLowering(LoweringRegistry &registry) {
  registry.add("BitwiseOr", {18}, lowerBitwiseOr);
}
} // namespace onnxfold::dml
