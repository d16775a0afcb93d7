//===- Pack.cpp - Constant kernel of linalg.pack -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Cuts dimensions into tiles, which become the last dimensions; the last tile of a
// dimension is filled up with the padding value. A view where nothing is padded.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/LoopNest.h"
#include "onnxfold/upstream/support/Tiling.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldLinalgPack(FoldContext &cx) {
  auto op = mlir::cast<mlir::linalg::PackOp>(cx.operation());
  ReasonOr<Tiling> tiling = tilingOf(cx, op.getInnerDimsPos(),
                                     op.getOuterDimsPerm(), op.getMixedTiles());
  if (!tiling)
    return tiling.reason();
  if (!isKnown(cx, 0))
    return notFolded(ReasonCode::InputNotConstant, "input #0 is not constant");
  Elements x = cx.input(0);
  if (tiling->order.size() != size_t(x.rank()))
    return invalid("'outer_dims_perm' has " +
                   llvm::Twine(tiling->order.size()) +
                   " dimensions, expected " + llvm::Twine(x.rank()));
  Shape none(x.rank(), 0), ends(x.rank(), 0), size(x.shape());
  for (auto [axis, tile] : llvm::zip_equal(tiling->axes, tiling->sizes)) {
    ends[axis] = (tile - x.dim(axis) % tile) % tile;
    size[axis] += ends[axis];
  }
  if (Reason large = cx.checkResult(x.type(), size))
    return large;
  if (size != Shape(x.shape())) {
    mlir::Value fill = op.getPaddingValue();
    if (!fill)
      return undefined("the tiles do not divide " + toString(x.shape()));
    if (!isKnown(cx, 2))
      return notFolded(ReasonCode::InputNotConstant,
                       "input #2 is not constant");
    x = ops::pad(x, none, ends, ops::PadMode::Constant, cx.input(2));
  }
  auto [split, perm] = tiling->layoutOf(size);
  return x.reshape(split).transpose(perm);
}

namespace onnxfold::upstream {
void registerLinalgPack(KernelRegistry &registry) {
  registry.add("pack", {1}, foldLinalgPack).ignored = ~0u;
}
} // namespace onnxfold::upstream
