//===- Tiling.h - The layouts of linalg.pack --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// linalg.pack cuts some dimensions into tiles: [n, m] in tiles of [a, b] becomes
// [n / a, m / b, a, b].
//
//   ReasonOr<Tiling> tiling = tilingOf(cx, innerDims, outerPerm, tiles);
//   auto [split, perm] = tiling->layoutOf({n, m});
//   x.reshape(split).transpose(perm);
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_TILING_H
#define ONNXFOLD_UPSTREAM_SUPPORT_TILING_H

#include "onnxfold/constprop/FoldContext.h"
#include "mlir/IR/OpDefinition.h"

namespace onnxfold::upstream {

struct Tiling {
  Shape axes, sizes; // which dimensions are cut, and the tiles of each
  Shape order;       // of the outer dimensions in the packed tensor

  struct Layout {
    Shape split; // the unpacked shape with tiles as dimensions
    Shape perm;  // from there to the packed tensor
  };
  /// REQUIRES: the tiles divide the dimensions.
  Layout layoutOf(ShapeRef unpacked) const;
};

/// A reason if the tiles are unknown, not positive, or not in range. The number
/// of dimensions is that of `outerPerm`, or, if that is empty, of the first
/// operand's shape, less the tiles if the operation unpacks.
ReasonOr<Tiling> tilingOf(FoldContext &cx, ShapeRef innerDims,
                          ShapeRef outerPerm,
                          llvm::ArrayRef<mlir::OpFoldResult> tiles);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_TILING_H
