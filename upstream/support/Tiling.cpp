//===- Tiling.cpp - The layouts of linalg.pack ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/Tiling.h"
#include "onnxfold/upstream/support/LoopNest.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace onnxfold;
using namespace onnxfold::upstream;
using namespace mlir;

Tiling::Layout Tiling::layoutOf(ShapeRef unpacked) const {
  Layout layout;
  Shape outer(unpacked.size()), inner(axes.size());
  for (size_t d = 0; d < unpacked.size(); ++d) {
    outer[d] = layout.split.size();
    auto found = llvm::find(axes, int64_t(d));
    if (found == axes.end()) {
      layout.split.push_back(unpacked[d]);
      continue;
    }
    size_t tile = found - axes.begin();
    inner[tile] = layout.split.size() + 1;
    layout.split.append({unpacked[d] / sizes[tile], sizes[tile]});
  }
  for (int64_t d : order)
    layout.perm.push_back(outer[d]);
  layout.perm.append(inner);
  return layout;
}

/// The size of a tile: an attribute, or the value of an operand.
static ReasonOr<int64_t> tileOf(FoldContext &cx, OpFoldResult tile) {
  if (auto attribute = dyn_cast<Attribute>(tile))
    return cast<IntegerAttr>(attribute).getInt();
  Operation *op = cx.operation();
  unsigned number = llvm::find(op->getOperands(), cast<Value>(tile)).getIndex();
  if (!isKnown(cx, number) || cx.input(number).size() != 1)
    return notFolded(ReasonCode::InputNotConstant,
                     "input #" + Twine(number) + " is not constant");
  return cx.input(number).ints()[0];
}

ReasonOr<Tiling> upstream::tilingOf(FoldContext &cx, ShapeRef innerDims,
                                    ShapeRef outerPerm,
                                    ArrayRef<OpFoldResult> tiles) {
  ReasonOr<Shape> source = shapeOf(cx, 0);
  if (!source)
    return source.reason();
  int64_t rank = source->size();
  if (isa<linalg::UnPackOp>(cx.operation()))
    rank -= tiles.size();
  Tiling tiling{
      .axes = Shape(innerDims), .sizes = {}, .order = Shape(outerPerm)};
  if (outerPerm.empty())
    for (int64_t d = 0; d < rank; ++d)
      tiling.order.push_back(d);
  for (OpFoldResult tile : tiles) {
    ReasonOr<int64_t> size = tileOf(cx, tile);
    if (!size)
      return size.reason();
    if (*size < 1 || *size > (int64_t(1) << 31))
      return undefined("a tile has the size " + Twine(*size));
    tiling.sizes.push_back(*size);
  }
  for (int64_t axis : innerDims)
    if (axis < 0 || axis >= rank || llvm::count(innerDims, axis) != 1)
      return invalid("'inner_dims_pos' is " + toString(innerDims));
  if (innerDims.size() != tiles.size() || !isPermutation(tiling.order, rank))
    return invalid("'outer_dims_perm' is " + toString(tiling.order) +
                   ", expected a permutation of " + Twine(rank) +
                   " dimensions");
  return tiling;
}
