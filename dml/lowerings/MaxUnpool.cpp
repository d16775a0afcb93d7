//===- MaxUnpool.cpp - Lowering of onnx.MaxUnpool ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Zeros with each value at its index. The indices count in the tensor that strides
// and kernel give, which lies at the beginning of the output.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Of the tensor that the indices count in.
static Shape unpooledDims(LoweringContext &cx) {
  Shape dims = cx.input(0).dims;
  Shape kernel(*cx.op().getInts("kernel_shape"));
  auto strides = cx.op().getInts("strides"), pads = cx.op().getInts("pads");
  for (size_t i = 0; i < kernel.size(); ++i) {
    int64_t &d = dims[i + 2];
    d = (d - 1) * (strides ? (*strides)[i] : 1) + kernel[i];
    if (pads && !cx.hasInput(2))
      d -= (*pads)[i] + (*pads)[i + kernel.size()];
  }
  return dims;
}

static Lowered lowerMaxUnpool(LoweringContext &cx) {
  if (!cx.input(0).isStatic())
    return Lowered::refusedBatch("the indices count along the free batch size");
  Shape dims = unpooledDims(cx);
  Size values = sizeOf(cx.input(0).dims), all = sizeOf(dims);
  View x = cx.reshape(cx.natural(0), values, {}),
       index = cx.reshape(cx.natural(1), values, {});
  Expr zeros = cx.local("zeros", cx.filled(0, all, {}));
  View y{cx.helper("scatter_rows", {zeros, index.expr, x.expr, 0}), all, {}};
  const Shape &wanted = cx.result().dims;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (wanted[axis] < dims[axis])
      return Lowered::refused("the output is smaller than what is unpooled");
    y = paddedAlong(cx, y, dims, axis, 0, wanted[axis] - dims[axis], 0);
    dims[axis] = wanted[axis];
  }
  cx.define(0, y);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerMaxUnpoolLowering(LoweringRegistry &registry) {
  registry.add("MaxUnpool", {9, 11, 22}, lowerMaxUnpool);
}
} // namespace onnxfold::dml
