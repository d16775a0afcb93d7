//===- Min.cpp - Lowering of onnx.Min ------------------------------------===//
//
// y = min(x0, x1, ...); NaN wins.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMin(LoweringContext &cx) {
  return lowerVariadic(cx, [](Expr x, Expr y) { return call("min", {x, y}); });
}

namespace onnxfold::dml {
void registerMinLowering(LoweringRegistry &registry) {
  registry.add("Min", {8, 12, 13}, lowerMin);
}
} // namespace onnxfold::dml
