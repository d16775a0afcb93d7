//===- AffineGrid.cpp - Lowering of onnx.AffineGrid ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// theta times positions from -1 to 1.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Along one dimension of the image.
static double positionOf(int64_t i, int64_t n, bool alignCorners) {
  return alignCorners ? double(2 * i - (n - 1)) / double(n - 1)
                      : double(2 * i + 1 - n) / double(n);
}

static Lowered lowerAffineGrid(LoweringContext &cx) {
  const Shape &y = cx.result().dims;
  int64_t rank = y.back();
  llvm::ArrayRef<int64_t> image =
      llvm::ArrayRef<int64_t>(y).drop_front().drop_back();
  bool align = cx.op().getInt("align_corners", 0) != 0;
  if (align && llvm::is_contained(image, 1))
    return Lowered::refused("a dimension of 1 has no position");
  int64_t count = sizeOf(image).count;
  // A column for each pixel: coordinates, the last dimension first, and 1.
  std::vector<double> grid((rank + 1) * count, 1);
  for (int64_t p = 0; p < count; ++p)
    for (int64_t d = rank - 1, rest = p; d >= 0; rest /= image[d--])
      grid[(rank - 1 - d) * count + p] =
          positionOf(rest % image[d], image[d], align);
  Size rows = sizeOf({y[0], rank});
  View theta = cx.reshape(cx.natural(0), rows, {rank + 1});
  Expr positions = cx.constantMatrix(
      "positions", Elements::fromValues<double>({int64_t(grid.size())}, grid),
      rank + 1, count);
  View product{
      cx.local("transformed", theta.expr.times(positions)), rows, {count}};
  cx.define(0, transposed(cx, product, {y[0], rank, count}, {0, 2, 1}).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerAffineGridLowering(LoweringRegistry &registry) {
  registry.add("AffineGrid", {20}, lowerAffineGrid);
}
} // namespace onnxfold::dml
