//===- Max.cpp - Lowering of onnx.Max ------------------------------------===//
//
// y = max(x0, x1, ...); NaN wins.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMax(LoweringContext &cx) {
  return lowerVariadic(cx, [](Expr x, Expr y) { return call("max", {x, y}); });
}

namespace onnxfold::dml {
void registerMaxLowering(LoweringRegistry &registry) {
  registry.add("Max", {8, 12, 13}, lowerMax);
}
} // namespace onnxfold::dml
