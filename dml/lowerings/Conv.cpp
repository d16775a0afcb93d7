//===- Conv.cpp - Lowering of onnx.Conv ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Of one to three dimensions, with groups, dilations and all pads.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/ConvolutionLowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerConv(LoweringContext &cx) {
  Windows windows;
  if (Lowered checked = convolutionOf(cx, 1, windows); !checked.isDone())
    return checked;
  View y = convolved(cx, imagesOf(cx, 0), imagesOf(cx, 1),
                     cx.op().getInt("group", 1), windows);
  cx.define(0, withBias(cx, y, 2));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerConvLowering(LoweringRegistry &registry) {
  registry.add("Conv", {1, 11, 22}, lowerConv);
}
} // namespace onnxfold::dml
