//===- Unpack.cpp - Constant kernel of linalg.unpack ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Puts the tiles of linalg.pack together again, and drops what was padded.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/LoopNest.h"
#include "onnxfold/upstream/support/Tiling.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldLinalgUnpack(FoldContext &cx) {
  auto op = mlir::cast<mlir::linalg::UnPackOp>(cx.operation());
  ReasonOr<Tiling> tiling = tilingOf(cx, op.getInnerDimsPos(),
                                     op.getOuterDimsPerm(), op.getMixedTiles());
  if (!tiling)
    return tiling.reason();
  if (!isKnown(cx, 0))
    return notFolded(ReasonCode::InputNotConstant, "input #0 is not constant");
  ReasonOr<Shape> shape = shapeOf(cx, 1);
  if (!shape)
    return shape.reason();
  const Elements &x = cx.input(0);
  size_t rank = shape->size();
  auto wrong = [&] {
    return undefined("tiles of shape " + toString(x.shape()) +
                     " do not make a tensor of shape " + toString(*shape));
  };
  if (x.rank() != int64_t(rank + tiling->axes.size()) ||
      tiling->order.size() != rank)
    return wrong();
  Shape size(rank);
  for (size_t i = 0; i < rank; ++i)
    size[tiling->order[i]] = x.dim(i);
  for (auto [i, axis] : llvm::enumerate(tiling->axes)) {
    if (x.dim(rank + i) != tiling->sizes[i])
      return wrong();
    size[axis] *= tiling->sizes[i];
  }
  for (size_t d = 0; d < rank; ++d)
    if ((*shape)[d] > size[d] ||
        (!llvm::is_contained(tiling->axes, d) && (*shape)[d] != size[d]))
      return wrong();
  auto [split, perm] = tiling->layoutOf(size);
  Shape back(perm.size());
  for (auto [i, p] : llvm::enumerate(perm))
    back[p] = i;
  return x.transpose(back).reshape(size).slice(Shape(rank, 0), *shape,
                                               Shape(rank, 1));
}

namespace onnxfold::upstream {
void registerLinalgUnpack(KernelRegistry &registry) {
  registry.add("unpack", {1}, foldLinalgUnpack).ignored = ~0u;
}
} // namespace onnxfold::upstream
