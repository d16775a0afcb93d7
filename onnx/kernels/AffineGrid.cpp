//===- AffineGrid.cpp - Constant kernel of onnx.AffineGrid ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Positions in an image of the given size, from -1 to 1 in each dimension,
// transformed by the matrices theta. Spec: onnx AffineGrid, version 20.
// Direct, more accurate than the body, which rounds after each step. With
// align_corners a dimension of 1 has no position: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/ResizeKernels.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Along one dimension of the image, -1 to 1.
static Elements coordinates(int64_t n, bool alignCorners) {
  return Elements::build<double>({n}, [&](auto out) {
    for (int64_t i = 0; i < n; ++i)
      out[i] = alignCorners ? double(2 * i - (n - 1)) / (n - 1)
                            : double(2 * i + 1 - n) / n;
  });
}

/// [positions, rank + 1]: coordinates, those of the last dimension first, and a
/// 1 for the translation.
static Elements positionsIn(ShapeRef image, bool alignCorners) {
  int64_t rank = image.size();
  llvm::SmallVector<Elements, 4> columns;
  for (int64_t d = rank - 1; d >= 0; --d) {
    Shape along(rank + 1, 1), column(image);
    along[d] = image[d];
    column.push_back(1);
    columns.push_back(
        coordinates(image[d], alignCorners).reshape(along).expand(column));
  }
  columns.push_back(Elements::splat<double>(columns[0].shape(), 1));
  return concat(columns, rank).reshape({numElements(image), rank + 1});
}

static FoldResult foldAffineGrid(FoldContext &cx) {
  const Elements &theta = cx.input(0);
  Shape size(cx.intsOf(1));
  bool alignCorners = cx.integer("align_corners").value_or(0) != 0;
  int64_t rank = int64_t(size.size()) - 2;
  if ((rank != 2 && rank != 3) || cx.input(1).rank() != 1 ||
      llvm::any_of(size, [](int64_t n) { return n < 0; }) ||
      theta.shape() != ShapeRef({size[0], rank, rank + 1}) ||
      typeClass(theta.type()) != TypeClass::Float)
    return invalid("theta has type " + name(theta.type()) + " and shape " +
                   toString(theta.shape()) + ", the size is " + toString(size));
  ShapeRef image = ShapeRef(size).drop_front(2);
  Shape shape = {size[0]};
  shape.append(image.begin(), image.end());
  shape.push_back(rank);
  Shape positions(image);
  positions.push_back(rank + 1);
  for (ShapeRef part : {ShapeRef(shape), ShapeRef(positions)})
    if (auto limit = cx.checkResult(DataType::Float64, part))
      return limit;
  if (numElements(shape) == 0)
    return emptyTensor(theta.type(), shape);
  if (alignCorners && llvm::is_contained(image, 1))
    return undefined("a dimension of the size " + toString(size) +
                     " is 1, which -1 and 1 both are the centre of");
  return roundedOnce(theta, [&](auto e) {
    Elements matrices = cast(e[0], DataType::Float64).transpose({0, 2, 1});
    return matmul(positionsIn(image, alignCorners), matrices).reshape(shape);
  });
}

namespace onnxfold {
void registerAffineGrid(KernelRegistry &registry) {
  registry.add("AffineGrid", {20}, foldAffineGrid);
}
} // namespace onnxfold
