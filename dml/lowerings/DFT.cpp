//===- DFT.cpp - Lowering of onnx.DFT ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A product with cosines and sines; real and imaginary parts are columns side by
// side.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/FourierLowering.h"
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerDFT(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  const Shape &out = cx.result().dims;
  int64_t rank = x.rank(), axis = cx.op().getInt("axis", 1);
  if (cx.op().since() >= 20) {
    axis = -2;
    if (cx.hasInput(2)) {
      Elements given = cx.constant(2);
      if (!given)
        return Lowered::refused("the axis is not a constant",
                                "fix it with " + setting("bind"));
      axis = given.ints()[0];
    }
  }
  if (rank < 2 || (cx.hasInput(1) && !cx.constant(1)))
    return Lowered::refused("the length is not a constant",
                            "fix it with " + setting("bind"));
  axis = *normalizeAxis(axis, rank);
  if (axis == rank - 1 || x.dims[axis] == batchDim)
    return Lowered::refused("transforms the free batch size or the parts of "
                            "complex numbers");
  Fourier f;
  f.inverse = cx.op().getInt("inverse", 0) != 0;
  f.isHalf = cx.op().getInt("onesided", 0) != 0;
  f.inParts = x.dims[rank - 1];
  f.in = x.dims[axis];
  f.length = f.isHalf && f.inverse ? 2 * (f.in - 1) : f.in;
  if (Elements length = cx.constant(1))
    f.length = length.ints()[0];
  f.out = out[axis];
  f.outParts = out[rank - 1];
  std::optional<Moved> moved =
      axesLast(cx, cx.natural(0), x.dims, {axis, rank - 1});
  if (!moved)
    return Lowered::refusedBatch("moves the free batch size");
  View rows = cx.splitAt(moved->view, moved->dims, rank - 2);
  if (Lowered wrong = fourierTransformed(cx, f, rows); !wrong.isDone())
    return wrong;
  Shape dims = moved->dims, back;
  dims[rank - 2] = f.out;
  dims[rank - 1] = f.outParts;
  for (int64_t i = 0; i + 1 < rank; ++i)
    back.push_back(i < axis ? i : i == axis ? rank - 2 : i - 1);
  back.push_back(rank - 1);
  if (axis != rank - 2)
    rows = transposed(cx, cx.local("spectrum", rows), dims, back).view;
  cx.define(0, rows);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerDFTLowering(LoweringRegistry &registry) {
  registry.add("DFT", {17, 20}, lowerDFT);
}
} // namespace onnxfold::dml
