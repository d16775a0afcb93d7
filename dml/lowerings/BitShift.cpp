//===- BitShift.cpp - Lowering of onnx.BitShift --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Products with powers of 2 and what is left of them within the type's bits. A
// count below 0, or of all bits and more, shifts everything out.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

/// The bits that the type has; its 64 hold multiples of large powers of 2.
static Expr inType(LoweringContext &cx, Expr value, DataType type) {
  double range = std::ldexp(1, bitWidth(type)),
         low = typeClass(type) == TypeClass::Signed ? range / 2 : 0;
  Expr shifted = cx.local("shifted", value);
  return shifted -
         call("floor", {(low == 0 ? shifted : shifted + low) / range}) * range;
}

static Lowered lowerBitShift(LoweringContext &cx) {
  DataType type = cx.result().type;
  bool isSigned = typeClass(type) == TypeClass::Signed;
  auto factor = [&](Expr y) {
    Expr most = call("min", {y, 64});
    return power(2,
                 isSigned ? choice(Expr::binary("<", y, 0), 64, most) : most);
  };
  if (cx.op().getString("direction", "") == "RIGHT")
    return lowerBinary(
        cx, [&](Expr x, Expr y) { return call("floor", {x / factor(y)}); },
        nullptr);
  auto left = [&](Expr x, Expr y) { return inType(cx, x * factor(y), type); };
  return lowerBinary(cx, left, nullptr);
}

namespace onnxfold::dml {
void registerBitShiftLowering(LoweringRegistry &registry) {
  registry.add("BitShift", {11, 28}, lowerBitShift);
}
} // namespace onnxfold::dml
