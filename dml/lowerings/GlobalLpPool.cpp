//===- GlobalLpPool.cpp - Lowering of onnx.GlobalLpPool ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// (sum |x|^p)^(1/p) of channels.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/PoolingLowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGlobalLpPool(LoweringContext &cx) {
  View rows = cx.view(0, 2);
  Expr sums = call("rowSums", {powerOfNorm(cx, rows.expr)});
  cx.define(0, View{rootOfNorm(cx, sums), rows.rows, {}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGlobalLpPoolLowering(LoweringRegistry &registry) {
  registry.add("GlobalLpPool", {1, 2, 22}, lowerGlobalLpPool);
}
} // namespace onnxfold::dml
