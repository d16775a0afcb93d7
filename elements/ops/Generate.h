//===- Generate.h - Tensors made from a rule --------------------*- C++ -*-===//
//
//   range(DataType::Float32, WideNum::widen(0.0), WideNum::widen(0.5), 4);
//   iota({2, 3}, 1);                  // [[0, 1, 2], [0, 1, 2]], i64
//   oneHot(indices, 10, indices.rank(), off, on);   // new last axis
//
// Elements::splat fills with one value, in the memory of one. numpy.linspace is
// a range too (its last element is computed as the others are, and may miss
// `stop` by a rounding of double):
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

/// max(ceil((limit - start) / delta), 0): the length of ONNX's Range, exact for
/// integers, in double for floats. Nothing if delta is 0, if any is NaN, or if
/// the length does not fit int64.
std::optional<int64_t> rangeCount(WideNum start, WideNum limit, WideNum delta);

/// start + i * delta for 0 <= i < count: floats in double, rounded once;
/// integers wrap. REQUIRES: a numeric type that is not sub-byte or float8.
Elements range(DataType type, WideNum start, WideNum delta, int64_t count);

/// i64 of `shape`, each element its own index along `axis`.
Elements iota(ShapeRef shape, int64_t axis);

/// ONNX OneHot: a new dimension of size `depth` at `axis` of the result
/// (0 <= axis <= rank), `on` where it equals the index, `off` elsewhere.
/// Negative indices wrap; those outside [-depth, depth) are all off.
/// `off` and `on`: one element each, of any one type. `indices`: any integer
/// type.
Elements oneHot(const Elements &indices, int64_t depth, int64_t axis,
                const Elements &off, const Elements &on);

/// Ones on the diagonal that is `k` to the right of the main one, 0 elsewhere;
/// numeric types and bool. REQUIRES: shape of rank 2.
Elements eye(DataType type, ShapeRef shape, int64_t k);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_GENERATE_H
