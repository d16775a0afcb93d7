//===- InstanceNormalization.cpp - Lowering of onnx.InstanceNormalization ===//
//
// Rows are channels of one image.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerInstanceNormalization(LoweringContext &cx) {
  double epsilon = cx.op().getFloat("epsilon", 1e-5f);
  View rows = cx.view(0, 2);
  Expr x = cx.local("rows", rows.expr);
  Expr d = cx.local("centered", x - call("rowMeans", {x}));
  View n = cx.local(
      "normalized",
      View{d / call("sqrt", {call("rowMeans", {power(d, 2)}) + epsilon}),
           rows.rows, rows.columns});
  auto [r, c] = naturalSizes(cx.result().dims);
  Expr natural = cx.reshape(n, r, c).expr;
  cx.define(0, call("bias_add", {call("bias_multiply",
                                      {natural, call("t", {cx.matrix(1)})}),
                                 call("t", {cx.matrix(2)})}));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerInstanceNormalizationLowering(LoweringRegistry &registry) {
  registry.add("InstanceNormalization", {6, 22}, lowerInstanceNormalization);
}
} // namespace onnxfold::dml
