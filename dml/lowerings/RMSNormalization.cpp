//===- RMSNormalization.cpp - Lowering of onnx.RMSNormalization ----------===//
//
// Rows are what is normalised; scale broadcast to the input.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerRMSNormalization(LoweringContext &cx) {
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", -1), cx.input(0).rank());
  double epsilon = cx.op().getFloat("epsilon", 1e-5f);
  for (unsigned i = 1; i < cx.op().numOutputs(); ++i)
    if (cx.isUsed(i))
      return Lowered::refused("an output beside the first is used");
  if (axis == 0 && !cx.input(0).isStatic())
    return Lowered::refused("normalises along the free batch size",
                            "fix it with --dim");
  View rows = cx.view(0, axis);
  Expr x = cx.local("rows", rows.expr);
  Expr d = x;
  View n = cx.local(
      "normalized",
      View{d / call("sqrt", {call("rowMeans", {power(d, 2)}) + epsilon}),
           rows.rows, rows.columns});
  const Shape &dims = cx.result().dims;
  auto multiply = [](Expr p, Expr q) { return p * q; };
  n = broadcastBinary(cx, {n, dims, std::nullopt}, operandOf(cx, 1), dims,
                      multiply, multiply);
  cx.define(0, n);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerRMSNormalizationLowering(LoweringRegistry &registry) {
  registry.add("RMSNormalization", {23}, lowerRMSNormalization);
}
} // namespace onnxfold::dml
