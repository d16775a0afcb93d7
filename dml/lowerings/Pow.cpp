//===- Pow.cpp - Lowering of onnx.Pow ------------------------------------===//
//
// z = x ^ y. Integers: exact below 2^53; negative powers are refused.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerPow(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("powers of integers are not there yet");
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return power(x, y); }, nullptr);
}

namespace onnxfold::dml {
void registerPowLowering(LoweringRegistry &registry) {
  registry.add("Pow", {7, 12, 13, 15}, lowerPow);
}
} // namespace onnxfold::dml
