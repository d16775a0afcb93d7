//===- QLinearConv.cpp - Lowering of onnx.QLinearConv --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ConvInteger plus a bias of int32, times x scale * w scale / y scale, rounded
// half to even, plus the zero point of y, saturated. Scale and zero point of w:
// one or one for each filter.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/ConvolutionLowering.h"
#include "onnxfold/dml/support/Quantization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerQLinearConv(LoweringContext &cx) {
  Windows windows;
  if (Lowered checked = convolutionOf(cx, 3, windows); !checked.isDone())
    return checked;
  const Shape &dims = cx.result().dims;
  View y = convolved(cx, centeredImages(cx, 0, 2), centeredImages(cx, 3, 5),
                     cx.op().getInt("group", 1), windows);
  y = cx.local("sums", withBias(cx, y, 8));
  // Those of w are a list.
  Operand scale =
      combinedScale(cx, alongAxis(cx, 1, dims, {1}), operandOf(cx, 4),
                    alongAxis(cx, 6, dims, {1}), cx.input(1).type);
  if (cx.input(4).isOneElement())
    y.expr = y.expr * scale.view.expr;
  else
    y.expr = call("bias_multiply", {y.expr, call("t", {scale.view.expr})});
  Operand zero = alongAxis(cx, 7, dims, {1});
  cx.define(0, quantized(cx, y, dims, &zero, cx.result().type));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerQLinearConvLowering(LoweringRegistry &registry) {
  registry.add("QLinearConv", {10}, lowerQLinearConv);
}
} // namespace onnxfold::dml
