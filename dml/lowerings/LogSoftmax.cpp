//===- LogSoftmax.cpp - Lowering of onnx.LogSoftmax ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x - log(sum(exp(x))) along an axis, less the largest.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLogSoftmax(LoweringContext &cx) {
  return lowerAlongRows(cx, [&](Expr x) {
    Expr less = cx.local("less", x - call("rowMaxs", {x}));
    return less - call("log", {call("rowSums", {call("exp", {less})})});
  });
}

namespace onnxfold::dml {
void registerLogSoftmaxLowering(LoweringRegistry &registry) {
  registry.add("LogSoftmax", {1, 11, 13}, lowerLogSoftmax);
}
} // namespace onnxfold::dml
