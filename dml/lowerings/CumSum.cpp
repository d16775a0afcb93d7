//===- CumSum.cpp - Lowering of onnx.CumSum ------------------------------===//
//
// Sums along an axis; exclusive and reversed ones are not there yet.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCumSum(LoweringContext &cx) {
  Elements axis = cx.constant(1);
  if (!axis)
    return Lowered::refused("the axis is no constant", "fix it with --bind");
  if (cx.op().getInt("exclusive", 0) != 0 || cx.op().getInt("reverse", 0) != 0)
    return Lowered::refused("exclusive and reversed sums are not there yet");
  return lowerAlongAxis(cx, axis.ints()[0], [](Expr x) {
    return call("t", {call("cumsum", {call("t", {x})})});
  });
}

namespace onnxfold::dml {
void registerCumSumLowering(LoweringRegistry &registry) {
  registry.add("CumSum", {11, 14}, lowerCumSum);
}
} // namespace onnxfold::dml
