//===- Mul.cpp - Lowering of onnx.Mul ------------------------------------===//
//
// z = x * y; integers wrap around, as long as the product is below 2^53.
// SystemDS makes x * 0 a 0, also of NaN and infinity: refused.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMul(LoweringContext &cx) {
  DataType type = cx.result().type;
  for (unsigned i : {0u, 1u})
    if (Elements value = cx.constant(i);
        value && hasZero(value) && isFloat(type))
      return Lowered::refused("a constant factor has zeros, and SystemDS takes "
                              "the product of zero and NaN or infinity for 0");
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return wrapped(cx, x * y, type); },
      [&](Expr x, Expr y) { return wrapped(cx, x * y, type); });
}

namespace onnxfold::dml {
void registerMulLowering(LoweringRegistry &registry) {
  registry.add("Mul", {7, 13, 14}, lowerMul);
}
} // namespace onnxfold::dml
