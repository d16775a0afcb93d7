//===- DataMovement.h - Operations that move elements -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Concatenation, padding, gathering, scattering. These functions put elements
// into new places without interpreting their values, so they take every element
// type (strings, complex and Opaque too). Results above a few pages are
// deferred: they cost nothing until they are read, and are then computed in
// parallel by copying the longest contiguous runs.
//
//   Elements y = concat({a, b}, 0);
//   Elements z = gather(table, indices, 0);
//
// Axes are normalised (0 <= axis < rank). Index tensors may have any integer
// type. Negative indices count from the end, as in ONNX since opset 11; these
// functions normalise them. The caller must refuse indices outside [-n, n):
//
//   if (auto bad = firstOutOfRange(indices, x.dim(axis)))
//     return notFolded(... indices.number(*bad) ...);
//
// Reversal is a view: Elements::slice with a step of -1. numpy.roll by k >= 0
// along an axis of n elements is two views:
//
//   std::vector<Elements> parts = x.split(axis, {n - k % n, k % n});
//   Elements y = concat({parts[1], parts[0]}, axis);
//
// Thread safety: pure functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_DATAMOVEMENT_H
#define ONNXFOLD_ELEMENTS_OPS_DATAMOVEMENT_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The row-major number of the first element of `indices` outside [-n, n), or
/// nothing. REQUIRES: an integer type.
std::optional<int64_t> firstOutOfRange(const Elements &indices, int64_t n);

/// The same for the index tuples of gatherND and scatterND (the last dimension
/// of `indices`) into the dimensions firstAxis, firstAxis + 1, ... of `shape`.
std::optional<int64_t> firstTupleOutOfRange(const Elements &indices,
                                            ShapeRef shape,
                                            int64_t firstAxis = 0);

/// The parts one after the other along `axis`. REQUIRES: there is at least one
/// part; all have one element type, and one shape except along `axis`.
Elements concat(llvm::ArrayRef<Elements> parts, int64_t axis);

/// numpy.tile. REQUIRES: `repeats` has one count >= 0 per dimension.
Elements tile(const Elements &x, ShapeRef repeats);

enum class PadMode : uint8_t {
  Constant,
  Reflect, // without repeating the edge: c b | a b c | b a
  Edge,    // a a | a b c | c c
  Wrap,    // b c | a b c | a b
};

/// ONNX Pad: adds `begins[d]` elements before and `ends[d]` elements after
/// those of dimension d. Negative counts crop, and cropping precedes padding.
/// `fill` is one element of the type of x, for Constant only; if it is null,
/// the padding is 0, false or "". A reflection longer than the dimension is
/// reflected again. REQUIRES: one count per dimension; no dimension of the
/// result is negative; in other modes than Constant, a dimension that grows
/// keeps at least one element.
Elements pad(const Elements &x, ShapeRef begins, ShapeRef ends,
             PadMode mode = PadMode::Constant, const Elements &fill = {});

/// ONNX Gather: the slices x[..., i, ...] for each i of `indices`. A single
/// index, or evenly spaced ones, give a view.
/// REQUIRES: no index is out of range.
Elements gather(const Elements &x, const Elements &indices, int64_t axis);

/// ONNX GatherElements: result[i][j] = x[indices[i][j]][j] for axis 0.
/// REQUIRES: equal ranks; no index is out of range; `indices` is no larger than
/// x along the other axes.
Elements gatherElements(const Elements &x, const Elements &indices,
                        int64_t axis);

/// ONNX GatherND. REQUIRES: the first `batchDims` dimensions of both are equal;
/// no index is out of range.
Elements gatherND(const Elements &x, const Elements &indices,
                  int64_t batchDims = 0);

enum class ScatterReduction : uint8_t { None, Add, Mul, Min, Max };

/// ONNX ScatterElements: a copy of x in which updates[i][j] replaces, or is
/// combined with, element [indices[i][j]][j] for axis 0. Updates are applied in
/// row-major order: of equal indices the last one wins, and sums are rounded
/// after each addition. If x is moved here and has no other reference, it is
/// updated in place, at once: x = scatterElements(std::move(x), ...).
/// None takes every type. The other reductions take ONNX's arithmetic types and
/// bool, for which Add and Max are "or", Mul and Min "and". Returns null for
/// other types. Min and Max propagate NaN.
/// REQUIRES: x and `updates` have one type; no index is out of range; `indices`
/// has the shape of `updates`.
Elements scatterElements(Elements x, const Elements &indices,
                         const Elements &updates, int64_t axis,
                         ScatterReduction reduction = ScatterReduction::None);

/// ONNX ScatterND. Order, types and memory are as for scatterElements.
Elements scatterND(Elements x, const Elements &indices, const Elements &updates,
                   ScatterReduction reduction = ScatterReduction::None);

/// The number of the first update that writes an element which an earlier one
/// has written, or nothing. firstRepeatedElement is for the updates of
/// scatterElements, firstRepeatedSlice for those of scatterND, each of which is
/// a slice. REQUIRES: as the operation.
std::optional<int64_t>
firstRepeatedElement(const Elements &x, const Elements &indices, int64_t axis);
std::optional<int64_t> firstRepeatedSlice(const Elements &x,
                                          const Elements &indices);

/// ONNX Trilu: the upper (or lower) triangle of the last two dimensions, with 0
/// (false, "") elsewhere. `k` moves the diagonal to the right.
/// REQUIRES: rank >= 2.
Elements trilu(const Elements &x, bool upper, int64_t k = 0);

/// ONNX Compress: the slices along `axis` for which `condition`, a bool vector,
/// is true. REQUIRES: `condition` is no longer than the axis.
Elements compress(const Elements &x, const Elements &condition, int64_t axis);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_DATAMOVEMENT_H
