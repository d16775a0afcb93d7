//===- Combine.h - Reductions as bodies of linalg write them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The body of a reduction reads an accumulator and yields its next value:
//
//   ^bb0(%a: f32, %b: f32, %sum: f32):
//     %product = arith.mulf %a, %b : f32
//     %next = arith.addf %sum, %product : f32
//     linalg.yield %next : f32
//
// Where one operation of a monoid combines the accumulator with a value that
// does not depend on it, the values of all points are reduced at once; sums of
// products are products of matrices.
//
// Precision: sums and products of f32 and narrower are computed in double, the
// first value of the accumulator included, and rounded once (RATIONALE.md).
// Integers wrap. Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_COMBINE_H
#define ONNXFOLD_UPSTREAM_SUPPORT_COMBINE_H

#include "onnxfold/elements/Elements.h"
#include "mlir/IR/Value.h"

namespace onnxfold::upstream {

/// `op` combines an accumulator with a value, or with the product of two.
struct Combination {
  mlir::Operation *op;
  llvm::SmallVector<mlir::Value, 2> factors;
};

/// The combination of `accumulator` that `yielded` is, if it is one.
std::optional<Combination> combinationOf(mlir::Value yielded,
                                         mlir::BlockArgument accumulator);

/// `init` combined with x over `axes`, which have size 1 in the result, by an
/// operation that combinationOf returns. Null for unsupported types.
Elements combined(mlir::Operation *op, const Elements &x, ShapeRef axes,
                  const Elements &init);

/// init + sum over `axes` of a * b, which broadcast. Null for types other than
/// floats and integers of 8 to 64 bits. REQUIRES: `axes` have the same sizes in
/// a and b.
Elements sumOfProducts(const Elements &a, const Elements &b, ShapeRef axes,
                       const Elements &init);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_COMBINE_H
