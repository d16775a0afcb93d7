//===- BitwiseNot.cpp - Lowering of onnx.BitwiseNot ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// In two's complement -1 - x; unsigned the largest number less x.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerBitwiseNot(LoweringContext &cx) {
  DataType type = cx.result().type;
  if (typeClass(type) == TypeClass::Signed)
    return lowerUnary(cx, [&](Expr x) { return -x - 1; });
  if (bitWidth(type) >= 64)
    return Lowered::refused("the results would be beyond 2^53");
  return lowerUnary(
      cx, [&](Expr x) { return std::ldexp(1, bitWidth(type)) - 1 - x; });
}

namespace onnxfold::dml {
void registerBitwiseNotLowering(LoweringRegistry &registry) {
  registry.add("BitwiseNot", {18}, lowerBitwiseNot);
}
} // namespace onnxfold::dml
