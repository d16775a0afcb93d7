//===- Sub.cpp - Lowering of onnx.Sub ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x - y; integers wrap around.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSub(LoweringContext &cx) {
  DataType type = cx.result().type;
  return lowerBinary(
      cx, [&](Expr x, Expr y) { return wrapped(cx, x - y, type); },
      [&](Expr x, Expr y) { return wrapped(cx, -x + y, type); });
}

namespace onnxfold::dml {
void registerSubLowering(LoweringRegistry &registry) {
  registry.add("Sub", {7, 13, 14}, lowerSub);
}
} // namespace onnxfold::dml
