//===- Shrink.cpp - Lowering of onnx.Shrink ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 0 for x in [-lambd, lambd], else x drawn towards 0 by the bias.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerShrink(LoweringContext &cx) {
  double lambd = cx.op().getFloat("lambd", 0.5f),
         bias = cx.op().getFloat("bias", 0.0f);
  if (DataType type = cx.result().type; !isFloat(type)) {
    if (typeClass(type) == TypeClass::Unsigned)
      return Lowered::refused("-lambd is not an unsigned number");
    lambd = std::trunc(lambd);
    bias = std::trunc(bias);
  }
  return lowerUnary(cx, [&](Expr x) {
    Expr above = choice(Expr::binary(">", x, lambd), x - bias, 0);
    return choice(Expr::binary("<", x, -lambd), x + bias, above);
  });
}

namespace onnxfold::dml {
void registerShrinkLowering(LoweringRegistry &registry) {
  registry.add("Shrink", {9}, lowerShrink);
}
} // namespace onnxfold::dml
