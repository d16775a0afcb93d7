//===- GlobalAveragePool.cpp - Lowering of onnx.GlobalAveragePool --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows are channels of one image.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGlobalAveragePool(LoweringContext &cx) {
  View rows = cx.view(0, 2);
  cx.define(0, View{call("rowMeans", {rows.expr}), rows.rows, {}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGlobalAveragePoolLowering(LoweringRegistry &registry) {
  registry.add("GlobalAveragePool", {1, 22}, lowerGlobalAveragePool);
}
} // namespace onnxfold::dml
