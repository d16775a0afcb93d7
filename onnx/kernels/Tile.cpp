//===- Tile.cpp - Constant kernel of onnx.Tile ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Repeated along every axis. Spec: onnx Tile, versions 1 (`tiles` times along
// `axis`, both floats of one element), 6, 13. A count of 0 makes an empty
// tensor.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/WholeNumbers.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult tiled(FoldContext &cx, const Shape &repeats) {
  const Elements &x = cx.input(0);
  if (int64_t(repeats.size()) != x.rank() ||
      llvm::any_of(repeats, [](int64_t n) { return n < 0; }))
    return invalid("repeats are " + toString(repeats) + ", expected one for " +
                   "each dimension of " + toString(x.shape()));
  // All dimensions and repeats as one list: no dimension of it can overflow.
  Shape factors(x.shape());
  factors.append(repeats);
  if (Reason large = cx.checkResult(x.type(), factors))
    return large;
  return tile(x, repeats);
}

static FoldResult foldTile(FoldContext &cx) {
  return tiled(cx, Shape(cx.intsOf(1)));
}

static FoldResult foldTileAlongAxis(FoldContext &cx) {
  for (unsigned i : {1, 2})
    if (Reason wrong = checkOneElement(cx, i))
      return wrong;
  std::optional<Shape> tiles = wholeNumbers(cx.input(1));
  std::optional<Shape> axis = wholeNumbers(cx.input(2));
  if (!tiles || !axis)
    return invalid("tiles and axis are not whole numbers");
  ReasonOr<Shape> along = normalizedAxes(*axis, cx.input(0).rank());
  if (!along)
    return along.reason();
  Shape repeats(cx.input(0).rank(), 1);
  repeats[along->front()] = tiles->front();
  return tiled(cx, repeats);
}

namespace onnxfold {
void registerTile(KernelRegistry &registry) {
  registry.add("Tile", {1}, foldTileAlongAxis);
  registry.add("Tile", {6, 13}, foldTile).movesSymbols(0);
}
} // namespace onnxfold
