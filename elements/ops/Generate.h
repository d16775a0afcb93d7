//===- Generate.h - Tensors made from a rule --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes tensors whose elements are functions of their indices.
//
//   range(DataType::Float32, WideNum::widen(0.0), WideNum::widen(0.5), 4);
//   iota({2, 3}, 1);                  // [[0, 1, 2], [0, 1, 2]], i64
//   oneHot(indices, 10, indices.rank(), off, on);   // new last axis
//
// Elements::splat makes a tensor of one repeated value, which takes the memory
// of one element. numpy.linspace is a range too (its last element is computed
// as the others are, and may miss `stop` by a rounding of double):
//
//   range(type, WideNum::widen(start),
//         WideNum::widen((stop - start) / (n - 1)), n);
//
// Large results are deferred.
// Thread safety: pure functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_GENERATE_H
#define ONNXFOLD_ELEMENTS_OPS_GENERATE_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The length of ONNX's Range: max(ceil((limit - start) / delta), 0). It is
/// exact for integers, and computed in double for floats. Nothing if delta is
/// 0, if any operand is NaN, or if the length does not fit int64.
std::optional<int64_t> rangeCount(WideNum start, WideNum limit, WideNum delta);

/// start + i * delta for 0 <= i < count. Floats are computed in double and
/// rounded once; integers wrap. REQUIRES: a type of visitArithmetic.
Elements range(DataType type, WideNum start, WideNum delta, int64_t count);

/// An i64 tensor of `shape` whose elements are their own indices along `axis`.
Elements iota(ShapeRef shape, int64_t axis);

/// ONNX OneHot: a new dimension of size `depth` at `axis` of the result
/// (0 <= axis <= rank). An element is `on` where its index along this dimension
/// equals the element of `indices`, else `off`. Negative indices count from the
/// end; an index outside [-depth, depth) gives `off` only.
/// REQUIRES: `off` and `on` have one element each, of one type (any);
/// `indices` has an integer type.
Elements oneHot(const Elements &indices, int64_t depth, int64_t axis,
                const Elements &off, const Elements &on);

/// A matrix with 1 on the diagonal that is `k` to the right of the main one,
/// and 0 elsewhere. REQUIRES: `type` is numeric or Bool; `shape` has rank 2.
Elements eye(DataType type, ShapeRef shape, int64_t k);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_GENERATE_H
