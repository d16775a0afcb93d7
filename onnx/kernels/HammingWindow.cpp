//===- HammingWindow.cpp - Constant kernel of onnx.HammingWindow ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// 25/46 - 21/46 * cos(2 * pi * k / N), which is (4 + 42 * s) / 46 with
// s = sin^2(pi * k / N). Spec: onnx HammingWindow, version 17.
// Direct: more accurate than the body, which computes in f32 with an angle of
// seven digits. A symmetric window of one element is NaN, as in the body.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Signal.h"

using namespace onnxfold;

static FoldResult foldHammingWindow(FoldContext &cx) {
  return foldCosineWindow(cx, 4.0 / 46, 42.0 / 46, 0);
}

namespace onnxfold {
void registerHammingWindow(KernelRegistry &registry) {
  registry.add("HammingWindow", {17}, foldHammingWindow);
}
} // namespace onnxfold
