//===- STFT.cpp - Lowering of onnx.STFT ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Frames of the signal as rows, times the window, and a product with cosines and
// sines.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/FourierLowering.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSTFT(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  const Shape &out = cx.result().dims;
  Elements step = cx.constant(1), given = cx.constant(3);
  if (!step || (cx.hasInput(3) && !given))
    return Lowered::refused(
        "the step or the length of frames is not a constant",
        "fix it with " + setting("bind"));
  Fourier f;
  f.inParts = x.rank() == 3 ? x.dims[2] : 1;
  f.isHalf = cx.op().getInt("onesided", 1) != 0;
  f.in = given            ? given.ints()[0]
         : cx.hasInput(2) ? cx.input(2).dims[0]
                          : x.dims[1];
  f.length = f.in;
  f.out = out[2];
  f.outParts = 2;
  int64_t frames = out[1], width = f.in * f.inParts;
  for (int64_t size : {f.in, frames, x.dims[1]})
    if (size == batchDim)
      return Lowered::refusedBatch("the signal has the free batch size");
  Size batch = sizeOf({x.dims[0]}), count{batch.count * frames, batch.perBatch};
  Expr all = cx.helper("frames", {cx.view(0, 1).expr, frames,
                                  step.ints()[0] * f.inParts, width});
  View rows = cx.reshape({all, batch, {frames * width}}, count, {width});
  if (cx.hasInput(2)) {
    Expr window = cx.reshape(cx.natural(2), {f.in}, {}).expr;
    if (f.inParts > 1)
      window = window.times(cx.filled(1, {}, {f.inParts}));
    rows.expr = rows.expr * matrix(window, 1, width);
  }
  if (Lowered wrong = fourierTransformed(cx, f, rows); !wrong.isDone())
    return wrong;
  cx.define(0, rows);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSTFTLowering(LoweringRegistry &registry) {
  registry.add("STFT", {17}, lowerSTFT);
}
} // namespace onnxfold::dml
