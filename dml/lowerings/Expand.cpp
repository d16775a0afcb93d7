//===- Expand.cpp - Lowering of onnx.Expand ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ONNX's broadcasting to a shape, which inference knows.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerExpand(LoweringContext &cx) {
  cx.define(0, expandTo(cx, operandOf(cx, 0), cx.result().dims));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerExpandLowering(LoweringRegistry &registry) {
  registry.add("Expand", {8, 13}, lowerExpand);
}
} // namespace onnxfold::dml
