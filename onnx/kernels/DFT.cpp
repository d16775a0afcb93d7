//===- DFT.cpp - Constant kernel of onnx.DFT ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The discrete Fourier transform along an axis. Spec: onnx DFT, versions 17
// (axis: an attribute, by default 1), 20 (an input, by default -2). The last
// dimension holds real and imaginary parts, or real ones alone. With `onesided`
// of a real signal the first half of the spectrum; inverse, the real signal of
// such a half, of which the imaginary parts of the first and the middle bin do
// not count (numpy.fft.irfft).
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Fourier.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Signal.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Any axis but the last.
static ReasonOr<int64_t> axisOfDft(FoldContext &cx, int64_t rank) {
  int64_t axis = rank - 2;
  if (cx.version() < 20) {
    ReasonOr<int64_t> attribute = axisOf(cx, 1, rank);
    if (!attribute)
      return attribute;
    axis = *attribute;
  } else if (cx.hasInput(2)) {
    ReasonOr<int64_t> given = integerInput(cx, 2);
    if (!given)
      return given;
    ReasonOr<Shape> axes = normalizedAxes({*given}, rank);
    if (!axes)
      return axes.reason();
    axis = axes->front();
  }
  if (axis == rank - 1)
    return invalid("the axis is the last, which holds real and imaginary "
                   "parts");
  return axis;
}

static FoldResult foldDFT(FoldContext &cx) {
  const Elements &x = cx.input(0);
  FourierTransform transform;
  transform.inverse = cx.integer("inverse").value_or(0) != 0;
  transform.half = cx.integer("onesided").value_or(0) != 0;
  if (Reason wrong = checkSignal(x, 2, transform))
    return wrong;
  ReasonOr<int64_t> axis = axisOfDft(cx, x.rank());
  if (!axis)
    return axis.reason();
  int64_t size = x.dim(*axis);
  transform.length =
      transform.parts() == 1 ? 2 * std::max<int64_t>(size - 1, 0) : size;
  if (cx.hasInput(1)) {
    ReasonOr<int64_t> length = integerInput(cx, 1);
    if (!length)
      return length.reason();
    transform.length = *length;
  }

  // The axis is moved before the parts; all others are rows.
  Shape perm = firstAxes(x.rank()), inverse(x.rank());
  perm.erase(perm.begin() + *axis);
  perm.insert(perm.end() - 1, *axis);
  Shape shape;
  for (int64_t d : perm)
    shape.push_back(x.dim(d));
  int64_t rows = numElements(ShapeRef(shape).drop_back(2));
  if (auto limit = checkTransform(cx, x.type(), rows, transform))
    return limit;
  Elements matrix =
      x.transpose(perm).reshape({rows, size, x.dim(x.rank() - 1)});
  shape[x.rank() - 2] = transform.bins();
  shape[x.rank() - 1] = transform.parts();
  for (int64_t d = 0; d < x.rank(); ++d)
    inverse[perm[d]] = d;
  return fourier(matrix, transform).reshape(shape).transpose(inverse);
}

namespace onnxfold {
void registerDFT(KernelRegistry &registry) {
  registry.add("DFT", {17, 20}, foldDFT);
}
} // namespace onnxfold
