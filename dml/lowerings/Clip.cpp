//===- Clip.cpp - Lowering of onnx.Clip ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// min(max(x, low), high)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerClip(LoweringContext &cx) {
  Expr x = cx.matrix(0);
  Expr low, high;
  if (cx.op().since() < 11) {
    if (auto value = cx.op().getFloat("min"))
      low = double(*value);
    if (auto value = cx.op().getFloat("max"))
      high = double(*value);
  } else {
    if (cx.hasInput(1))
      low = cx.scalar(1);
    if (cx.hasInput(2))
      high = cx.scalar(2);
  }
  if (low)
    x = call("max", {x, low});
  if (high)
    x = call("min", {x, high});
  cx.define(0, x);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerClipLowering(LoweringRegistry &registry) {
  registry.add("Clip", {1, 6, 11, 12, 13}, lowerClip);
}
} // namespace onnxfold::dml
