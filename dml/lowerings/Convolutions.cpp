//===- Convolutions.cpp - Lowerings of convolutions -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Of floats, integers and quantized values.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/ConvolutionLowering.h"
#include "onnxfold/dml/support/Quantization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Of one to three dimensions, with groups, dilations and all pads.
static Lowered lowerConv(LoweringContext &cx) {
  Windows windows;
  if (Lowered checked = convolutionOf(cx, 1, windows); !checked.isDone())
    return checked;
  View y = convolved(cx, imagesOf(cx, 0), imagesOf(cx, 1),
                     cx.op().getInt("group", 1), windows);
  cx.define(0, withBias(cx, y, 2));
  return Lowered::done();
}

/// Convolution of integers of 8 bits less their zero points (of w: one or one
/// for each filter); padding is the zero point.
static Lowered lowerConvInteger(LoweringContext &cx) {
  Windows windows;
  if (Lowered checked = convolutionOf(cx, 1, windows); !checked.isDone())
    return checked;
  View sums = convolved(cx, centeredImages(cx, 0, 2), centeredImages(cx, 1, 3),
                        cx.op().getInt("group", 1), windows);
  int64_t depth =
      sizeOf(llvm::ArrayRef<int64_t>(cx.input(1).dims).drop_front()).count;
  cx.define(0, asInt32(cx, sums, depth));
  return Lowered::done();
}

/// ConvInteger plus a bias of int32, times x scale * w scale / y scale, rounded
/// half to even, plus the zero point of y, saturated. Scale and zero point of
/// w: one or one for each filter.
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
void registerConvolutionsLowering(LoweringRegistry &registry) {
  registry.add("Conv", {1, 11, 22}, lowerConv);
  registry.add("ConvInteger", {10}, lowerConvInteger);
  registry.add("QLinearConv", {10}, lowerQLinearConv);
}
} // namespace onnxfold::dml
