//===- Range.cpp - Lowering of onnx.Range ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// start + i * delta, of a known length or the free batch size.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerRange(LoweringContext &cx) {
  Size count = sizeOf(cx.result().dims);
  View steps{call("seq", {0, cx.expr(count) - 1, 1}), count, {}};
  auto [rows, columns] = naturalSizes(cx.result().dims);
  Expr list = cx.reshape(steps, rows, columns).expr;
  cx.define(0, list * cx.scalar(2) + cx.scalar(0));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerRangeLowering(LoweringRegistry &registry) {
  registry.add("Range", {11, 27}, lowerRange);
}
} // namespace onnxfold::dml
