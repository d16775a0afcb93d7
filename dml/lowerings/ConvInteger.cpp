//===- ConvInteger.cpp - Lowering of onnx.ConvInteger --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Convolution of integers of 8 bits less their zero points (of w: one or one for
// each filter); padding is the zero point.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/ConvolutionLowering.h"
#include "onnxfold/dml/support/Quantization.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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

namespace onnxfold::dml {
void registerConvIntegerLowering(LoweringRegistry &registry) {
  registry.add("ConvInteger", {10}, lowerConvInteger);
}
} // namespace onnxfold::dml
