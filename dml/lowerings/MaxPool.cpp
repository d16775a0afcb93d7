//===- MaxPool.cpp - Lowering of onnx.MaxPool ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// max_pool of DML, or maxima along one axis after the other: of dilated windows,
// of three dimensions, and where the indices are used. Indices are computed
// with the maxima: the first of equal values in a row is kept, then that of the
// first row. Pads are -infinity.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/PoolingLowering.h"
#include <limits>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

static constexpr double minusInfinity =
    -std::numeric_limits<double>::infinity();

static Expr numbersTo(Expr end) { return call("seq", {0, end - 1, 1}); }

/// The index of each value in the input: that of its channel, and its place
/// there, counted along rows or columns.
static View indicesOf(LoweringContext &cx) {
  const Shape &dims = cx.input(0).dims;
  llvm::ArrayRef<int64_t> all(dims);
  Size channels = sizeOf(all.take_front(2));
  int64_t size = sizeOf(all.drop_front(2)).count;
  View places =
      cx.local("places", View{call("t", {numbersTo(size)}), {}, {size}});
  if (cx.op().getInt("storage_order", 0) != 0) {
    Shape reversed(llvm::reverse(all.drop_front(2))), perm(reversed.size());
    std::iota(perm.rbegin(), perm.rend(), 0);
    places =
        cx.reshape(transposed(cx, places, reversed, perm).view, {}, {size});
  }
  Expr first = numbersTo(cx.expr(channels)) * size;
  Expr rows = cx.filled(1, channels, {}).times(places.expr);
  return cx.local("indices", View{rows + first, channels, {size}});
}

static void defineWithIndices(LoweringContext &cx, const Windows &windows) {
  Moved values = padImages(cx, imagesOf(cx, 0), windows, minusInfinity);
  Moved indices = padImages(cx, {indicesOf(cx), cx.input(0).dims}, windows, -1);
  Shape dims = values.dims;
  for (size_t i = windows.axes.size(); i-- > 0;) {
    const WindowAxis &axis = windows.axes[i];
    llvm::ArrayRef<int64_t> all(dims);
    Size outer = sizeOf(all.take_front(i + 2)),
         inner = sizeOf(all.drop_front(i + 3));
    Expr found = cx.helper("argmax_windows",
                           {values.view.expr, indices.view.expr, cx.expr(outer),
                            dims[i + 2], cx.expr(inner), axis.kernel,
                            axis.stride, axis.dilation, axis.out});
    auto both = cx.locals({"maxima", "places"}, found);
    Size columns{axis.out * inner.count};
    values.view = {both[0], outer, columns};
    indices.view = {both[1], outer, columns};
    dims[i + 2] = axis.out;
  }
  cx.define(0, values.view);
  cx.define(1, indices.view);
}

static Lowered lowerMaxPool(LoweringContext &cx) {
  Windows windows;
  if (Lowered checked = poolingOf(cx, windows); !checked.isDone())
    return checked;
  if (cx.isUsed(1))
    defineWithIndices(cx, windows);
  else if (windows.isBuiltin())
    cx.define(0, pooledByBuiltin(cx, "max_pool", windows, minusInfinity));
  else
    cx.define(0, reducedByAxis(cx, "max_windows", imagesOf(cx, 0), windows,
                               minusInfinity));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerMaxPoolLowering(LoweringRegistry &registry) {
  registry.add("MaxPool", {1, 8, 10, 11, 12, 22}, lowerMaxPool);
}
} // namespace onnxfold::dml
