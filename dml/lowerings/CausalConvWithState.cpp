//===- CausalConvWithState.cpp - Of onnx.CausalConvWithState -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each channel's convolution with a kernel of its own over the present and the
// past, which `past_state` continues (0 if it is left out), then a bias, then
// perhaps x * sigmoid(x). The second result is the past of what comes next.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/ConvolutionLowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCausalConvWithState(LoweringContext &cx) {
  const Shape &dims = cx.input(0).dims;
  int64_t past = cx.input(1).dims.back() - 1, length = dims[2];
  View all = cx.view(0, 2);
  if (past != 0) {
    Expr before =
        cx.hasInput(3) ? cx.view(3, 2).expr : cx.filled(0, all.rows, {past});
    all = {call("cbind", {before, all.expr}), all.rows, {length + past}};
  }
  all = cx.local("with_past", all);
  Size n = sizeOf(llvm::ArrayRef<int64_t>(dims).take_front());
  View y{cx.helper(
             "causal_conv",
             {all.expr, cx.reshape(cx.natural(1), {dims[1]}, {past + 1}).expr}),
         n,
         {dims[1] * length}};
  y = withBias(cx, y, 2);
  if (cx.op().getString("activation", "none") != "none") {
    y = cx.local("linear", y);
    y.expr = y.expr / (1 + call("exp", {-y.expr}));
  }
  cx.define(0, y);
  if (cx.isUsed(1))
    cx.define(1, View{all.expr.slice({}, {}, length + 1,
                                     past == 1 ? Expr() : length + past),
                      all.rows,
                      {past}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerCausalConvWithStateLowering(LoweringRegistry &registry) {
  registry.add("CausalConvWithState", {27}, lowerCausalConvWithState);
}
} // namespace onnxfold::dml
