//===- GlobalMaxPool.cpp - Lowering of onnx.GlobalMaxPool ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows are channels of one image.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGlobalMaxPool(LoweringContext &cx) {
  View rows = cx.view(0, 2);
  cx.define(0, View{call("rowMaxs", {rows.expr}), rows.rows, {}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGlobalMaxPoolLowering(LoweringRegistry &registry) {
  registry.add("GlobalMaxPool", {1, 22}, lowerGlobalMaxPool);
}
} // namespace onnxfold::dml
