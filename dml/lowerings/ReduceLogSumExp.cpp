//===- ReduceLogSumExp.cpp - Lowering of onnx.ReduceLogSumExp ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// log(sum(exp(x))) over axes, less the largest so that nothing overflows; an
// infinite maximum is the result itself.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReduceLogSumExp(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerReduction(cx, [&](Expr x) {
    Expr most = cx.local("largest", call("rowMaxs", {x}));
    Expr safe = cx.local("finite", choice(call("isInf", {most}), 0, most));
    return safe + call("log", {call("rowSums", {call("exp", {x - safe})})});
  });
}

namespace onnxfold::dml {
void registerReduceLogSumExpLowering(LoweringRegistry &registry) {
  registry.add("ReduceLogSumExp", {1, 11, 13, 18}, lowerReduceLogSumExp);
}
} // namespace onnxfold::dml
