//===- LoopNest.h - The loops of a structured operation ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A structured operation of linalg runs a body at every point of a nest of
// loops, where each operand is read at indices that are affine functions of the
// loops' counters. Here an operand becomes a tensor over the loops. It is a
// view if each dimension steps along one loop, else a gather. Loops that the
// operand does not depend on have the size 1.
//
//   ReasonOr<LoopNest> nest = loopNestOf(cx);       // i, j, k of a product
//   Elements a = nest->view(cx.input(0), 0);        // [i, 1, k]
//   Elements b = nest->view(cx.input(1), 1);        // [1, j, k]
//
// Thread safety: values; pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_LOOPNEST_H
#define ONNXFOLD_UPSTREAM_SUPPORT_LOOPNEST_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold::upstream {

/// The indices of an operand: starts + sum over the loops of counter * steps.
struct AffineAccess {
  Shape starts;
  llvm::SmallVector<Shape> steps; // [loop][dimension of the operand]

  bool dependsOn(size_t loop) const {
    return llvm::any_of(steps[loop], [](int64_t step) { return step != 0; });
  }
};

struct LoopNest {
  Shape sizes;                              // of the loops
  llvm::SmallVector<bool> isReduction;      // of the loops
  llvm::SmallVector<AffineAccess> accesses; // of the operands

  size_t numLoops() const { return sizes.size(); }
  /// The loops as a shape: `sizes` where `uses` holds, else 1.
  template <class F> Shape shapeOf(F uses) const {
    Shape shape(sizes.size(), 1);
    for (size_t loop = 0; loop < sizes.size(); ++loop)
      if (uses(loop))
        shape[loop] = sizes[loop];
    return shape;
  }
  /// `x`, the value of operand number `operand`, over the loops.
  Elements view(const Elements &x, unsigned operand) const;

  /// The nest without its reductions, at one point of them (a number for each
  /// loop; those of other loops are ignored).
  LoopNest at(ShapeRef point) const;
};

/// The loops of `cx`'s operation; a reason if sizes are unknown, if an index is
/// not affine, or outside of its operand. REQUIRES: a linalg::LinalgOp.
ReasonOr<LoopNest> loopNestOf(FoldContext &cx);

/// The whole value of an operand is known.
bool isKnown(const FoldContext &cx, unsigned operand);

/// The shape of an operand whose value may be unknown.
ReasonOr<Shape> shapeOf(FoldContext &cx, unsigned operand);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_LOOPNEST_H
