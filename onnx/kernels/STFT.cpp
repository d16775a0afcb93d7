//===- STFT.cpp - Constant kernel of onnx.STFT ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The Fourier transform of frames of a signal [batch, length, 1 or 2], each
// multiplied by a window. Spec: onnx STFT, version 17. frame_length: input, or
// the length of the window, or that of the signal. Of a complex signal no half
// of the spectrum (`onesided`, the default) can be left out: kept.
// In double, rounded once. To ONNX Runtime, and so to programs, a signal [batch,
// length] is a real one, as torch's exporter writes it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Fourier.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Signal.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSTFT(FoldContext &cx) {
  Elements x = cx.input(0);
  if (x.rank() == 2 && mustDecide(cx))
    x = x.unsqueeze({2});
  FourierTransform transform;
  transform.half = cx.integer("onesided").value_or(1) != 0;
  if (Reason wrong = checkSignal(x, 3, transform))
    return wrong;
  if (x.rank() != 3)
    return invalid("the signal has shape " + toString(x.shape()) +
                   ", expected rank 3");
  ReasonOr<int64_t> step = integerInput(cx, 1);
  if (!step)
    return step.reason();
  if (*step <= 0)
    return invalid("the step is " + llvm::Twine(*step));
  Elements window = cx.hasInput(2) ? cx.input(2) : Elements();
  transform.length = window ? window.size() : x.dim(1);
  if (cx.hasInput(3)) {
    ReasonOr<int64_t> length = integerInput(cx, 3);
    if (!length)
      return length.reason();
    transform.length = *length;
  }
  if (window && (window.type() != x.type() ||
                 window.shape() != ShapeRef({transform.length})))
    return invalid("the window has type " + name(window.type()) +
                   " and shape " + toString(window.shape()) + ", expected " +
                   name(x.type()) + " [" + llvm::Twine(transform.length) + "]");
  if (transform.length > x.dim(1))
    return invalid("a frame has length " + llvm::Twine(transform.length) +
                   ", the signal " + llvm::Twine(x.dim(1)));
  int64_t frames = 0;
  if (transform.length > 0)
    frames = (x.dim(1) - transform.length) / *step + 1;
  if (auto limit = checkTransform(cx, x.type(), x.dim(0) * frames, transform))
    return limit;
  return fourierOfFrames(x, window, *step, transform);
}

namespace onnxfold {
void registerSTFT(KernelRegistry &registry) {
  registry.add("STFT", {17}, foldSTFT);
}
} // namespace onnxfold
