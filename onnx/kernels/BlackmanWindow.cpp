//===- BlackmanWindow.cpp - Constant kernel of onnx.BlackmanWindow --------===//
// SPDX-License-Identifier: Apache-2.0
//
// 0.42 - 0.5 * cos(2 * pi * k / N) + 0.08 * cos(4 * pi * k / N), which is
// 0.36 * s + 0.64 * s^2 with s = sin^2(pi * k / N). Spec: onnx BlackmanWindow,
// version 17.
// Direct: more accurate than the body, which computes in f32 with an angle of
// seven digits. A symmetric window of one element is NaN, as in the body.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Signal.h"

using namespace onnxfold;

static FoldResult foldBlackmanWindow(FoldContext &cx) {
  return foldCosineWindow(cx, 0, 0.36, 0.64);
}

namespace onnxfold {
void registerBlackmanWindow(KernelRegistry &registry) {
  registry.add("BlackmanWindow", {17}, foldBlackmanWindow);
}
} // namespace onnxfold
