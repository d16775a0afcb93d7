//===- DepthwiseConv2d.cpp - Constant kernel of tosa.depthwise_conv2d ----===//
// SPDX-License-Identifier: Apache-2.0
//
// A convolution of each channel of [n, h, w, c] with weights [kh, kw, c, m] of its own,
// plus a bias. Floats are summed in double and rounded once; sums of integers that do not fit are
// undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "onnxfold/upstream/support/TosaWindows.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaDepthwiseConv2d(FoldContext &cx) {
  return foldConvolution(cx, 2, /*depthwise=*/true);
}

namespace onnxfold::upstream {
void registerTosaDepthwiseConv2d(KernelRegistry &registry) {
  registry.add("depthwise_conv2d", {1}, foldTosaDepthwiseConv2d);
}
} // namespace onnxfold::upstream
