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
  Expr steps = call("seq", {0, cx.expr(count) - 1, 1});
  Expr row = matrix(steps, 1, cx.expr(count));
  cx.define(0, row * cx.scalar(2) + cx.scalar(0));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerRangeLowering(LoweringRegistry &registry) {
  registry.add("Range", {11, 27}, lowerRange);
}
} // namespace onnxfold::dml
