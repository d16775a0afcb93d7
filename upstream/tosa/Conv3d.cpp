//===- Conv3d.cpp - Constant kernel of tosa.conv3d -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A convolution of [n, d, h, w, c] with weights [f, kd, kh, kw, c], plus a bias.
// Floats are summed in double and rounded once; sums of integers that do not fit are
// undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "onnxfold/upstream/support/TosaWindows.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaConv3d(FoldContext &cx) {
  return foldConvolution(cx, 3, /*depthwise=*/false);
}

namespace onnxfold::upstream {
void registerTosaConv3d(KernelRegistry &registry) {
  registry.add("conv3d", {1}, foldTosaConv3d);
}
} // namespace onnxfold::upstream
