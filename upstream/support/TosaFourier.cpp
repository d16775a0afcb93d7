//===- TosaFourier.cpp - Fourier transforms of images ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/TosaFourier.h"
#include "onnxfold/elements/nn/Fourier.h"
#include "onnxfold/elements/ops/Elementwise.h"

using namespace onnxfold;

/// Along the third dimension. Real signals have half a spectrum.
static Elements alongRows(const Elements &x) {
  int64_t n = x.dim(0), h = x.dim(1), w = x.dim(2);
  ops::FourierTransform transform{.length = w, .half = x.dim(3) == 1};
  return ops::fourier(x.reshape({n * h, w, x.dim(3)}), transform)
      .reshape({n, h, transform.bins(), 2});
}

Elements upstream::transformImages(const Elements &x) {
  Shape turned = {0, 2, 1, 3};
  return alongRows(alongRows(x).transpose(turned)).transpose(turned);
}

Reason upstream::checkImages(FoldContext &cx, ShapeRef shape) {
  if (shape.size() != 3 || llvm::is_contained(shape, 0) ||
      shape[1] > ops::FourierTransform::maxLength ||
      shape[2] > ops::FourierTransform::maxLength)
    return invalid("the images have shape " + toString(shape));
  ops::FourierTransform rows{.length = shape[2]}, columns{.length = shape[1]};
  return cx.checkWork(double(shape[0]) * (double(shape[1]) * rows.work() +
                                          double(shape[2]) * columns.work()));
}

Elements upstream::partOf(const Elements &x, int64_t part, DataType type) {
  return ops::cast(x.slice(3, part, 1).squeeze({3}), type);
}
