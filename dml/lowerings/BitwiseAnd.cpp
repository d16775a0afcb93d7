//===- BitwiseAnd.cpp - Lowering of onnx.BitwiseAnd ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// DML's functions have 32 bits, with a sign; more bits are helper bitwise_and,
// within 2^53.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Bits.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerBitwiseAnd(LoweringContext &cx) {
  return lowerBitwise(cx, "bitwAnd",
                      [](Expr, Expr, Expr both) { return both; });
}

namespace onnxfold::dml {
void registerBitwiseAndLowering(LoweringRegistry &registry) {
  registry.add("BitwiseAnd", {18}, lowerBitwiseAnd);
}
} // namespace onnxfold::dml
