//===- Softmax.cpp - Lowering of onnx.Softmax ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// exp(x) / sum(exp(x)) along an axis, less the largest.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSoftmax(LoweringContext &cx) {
  return lowerAlongRows(cx, [&](Expr x) {
    Expr e = cx.local("e", call("exp", {x - call("rowMaxs", {x})}));
    return e / call("rowSums", {e});
  });
}

namespace onnxfold::dml {
void registerSoftmaxLowering(LoweringRegistry &registry) {
  registry.add("Softmax", {1, 11, 13}, lowerSoftmax);
}
} // namespace onnxfold::dml
