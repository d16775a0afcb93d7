//===- Conv2d.cpp - Constant kernel of tosa.conv2d -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A convolution of [n, h, w, c] with weights [f, kh, kw, c], plus a bias.
// Floats are summed in double and rounded once; sums of integers that do not fit are
// undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "onnxfold/upstream/support/TosaWindows.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaConv2d(FoldContext &cx) {
  return foldConvolution(cx, 2, /*depthwise=*/false);
}

namespace onnxfold::upstream {
void registerTosaConv2d(KernelRegistry &registry) {
  registry.add("conv2d", {1}, foldTosaConv2d);
}
} // namespace onnxfold::upstream
