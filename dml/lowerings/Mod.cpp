//===- Mod.cpp - Lowering of onnx.Mod ------------------------------------===//
//
// fmod: %% of DML, with the sign of the dividend; else that of the divisor.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMod(LoweringContext &cx) {
  bool isC = cx.op().getInt("fmod", 0) != 0;
  auto f = [&](Expr x, Expr y) {
    if (isC)
      return Expr::binary("%%", x, y);
    return x - call("floor", {x / y}) * y;
  };
  return lowerBinary(cx, f, nullptr);
}

namespace onnxfold::dml {
void registerModLowering(LoweringRegistry &registry) {
  registry.add("Mod", {10, 13}, lowerMod);
}
} // namespace onnxfold::dml
