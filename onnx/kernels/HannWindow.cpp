//===- HannWindow.cpp - Constant kernel of onnx.HannWindow ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 0.5 - 0.5 * cos(2 * pi * k / N), which is s = sin^2(pi * k / N). Spec: onnx
// HannWindow, version 17.
// Direct: more accurate than the body, which computes in f32 with an angle of
// seven digits. A symmetric window of one element is NaN, as in the body.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Signal.h"

using namespace onnxfold;

static FoldResult foldHannWindow(FoldContext &cx) {
  return foldCosineWindow(cx, 0, 1, 0);
}

namespace onnxfold {
void registerHannWindow(KernelRegistry &registry) {
  registry.add("HannWindow", {17}, foldHannWindow);
}
} // namespace onnxfold
