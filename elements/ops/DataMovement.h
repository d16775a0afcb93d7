//===- DataMovement.h - Operations that move elements -----------*- C++ -*-===//
//
// Concatenation, padding, gathering, scattering: functions that put elements
// into new places and never look at their values, so they take every element
// type (strings, complex, symbols). Results above a few pages are deferred:
// they cost nothing until they are read, and are then computed in parallel by
// copying the longest runs there are.
//
//   Elements y = concat({a, b}, 0);
//   Elements z = gather(table, indices, 0);
//
// Axes are normalised (0 <= axis < rank). Index tensors may have any integer
// type; negative indices count from the end, as in ONNX since opset 11, and
// are normalised HERE. Indices outside [-n, n) are the caller's to refuse:
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

/// The same for index tuples (last dimension of `indices`) into the dimensions
/// firstAxis, firstAxis + 1, ... of `shape`: for gatherND and scatterND.
std::optional<int64_t> firstTupleOutOfRange(const Elements &indices,
                                            ShapeRef shape,
                                            int64_t firstAxis = 0);

/// The parts one after the other along `axis`. REQUIRES: at least one part, one
/// element type, one shape but for `axis`.
Elements concat(llvm::ArrayRef<Elements> parts, int64_t axis);

/// numpy.tile. REQUIRES: one repeat count >= 0 per dimension.
Elements tile(const Elements &x, ShapeRef repeats);

enum class PadMode : uint8_t {
  Constant,
  Reflect, // without repeating the edge: c b | a b c | b a
  Edge,    // a a | a b c | c c
  Wrap,    // b c | a b c | a b
};

/// `begins[d]` elements before and `ends[d]` after dimension d; negative counts
/// crop, before anything is added. `fill` is one element of the type of x, for
/// Constant only; null is 0, false, "". REQUIRES: one count per dimension; no
/// negative result; outside Constant, only dimensions that keep at least one
/// element grow. A reflection longer than the dimension is reflected again.
Elements pad(const Elements &x, ShapeRef begins, ShapeRef ends,
             PadMode mode = PadMode::Constant, const Elements &fill = {});

/// ONNX Gather: the slices x[..., i, ...] for each i of `indices`. A single
/// index, or evenly spaced ones, give a view.
/// REQUIRES: indices inside.
Elements gather(const Elements &x, const Elements &indices, int64_t axis);

/// ONNX GatherElements: result[i][j] = x[indices[i][j]][j] for axis 0.
/// REQUIRES: equal ranks; indices inside; indices no larger than x elsewhere.
Elements gatherElements(const Elements &x, const Elements &indices,
                        int64_t axis);

/// ONNX GatherND. REQUIRES: batchDims equal leading dimensions; indices inside.
Elements gatherND(const Elements &x, const Elements &indices,
                  int64_t batchDims = 0);

enum class ScatterReduction : uint8_t { None, Add, Mul, Min, Max };

/// ONNX ScatterElements: a copy of x with updates[i][j] written to (combined
/// with) [indices[i][j]][j] for axis 0, in row-major order of the updates: of
/// equal indices the last one wins, sums are rounded after each addition. An x
/// that is moved here and that nobody else refers to is updated where it lies,
/// at once, without a copy: x = scatterElements(std::move(x), ...).
/// Min and Max hand NaN on. Returns null if the reduction is none of the
/// type's (None: every type; others: ONNX's arithmetic types, Add and Max on
/// bool are or, Mul and Min are and).
/// REQUIRES: x and updates of one type; indices inside and of the updates'
/// shape.
Elements scatterElements(Elements x, const Elements &indices,
                         const Elements &updates, int64_t axis,
                         ScatterReduction reduction = ScatterReduction::None);

/// ONNX ScatterND, otherwise as scatterElements.
Elements scatterND(Elements x, const Elements &indices, const Elements &updates,
                   ScatterReduction reduction = ScatterReduction::None);

/// The number of the first update that writes an element which an earlier one
/// has written, or nothing: scatterElements' updates, and scatterND's (of which
/// each is a slice). REQUIRES: as the operation.
std::optional<int64_t>
firstRepeatedElement(const Elements &x, const Elements &indices, int64_t axis);
std::optional<int64_t> firstRepeatedSlice(const Elements &x,
                                          const Elements &indices);

/// The upper (or lower) triangle of the last two dimensions, zero (false, "")
/// elsewhere; `k` moves the diagonal to the right. REQUIRES: rank >= 2.
Elements trilu(const Elements &x, bool upper, int64_t k = 0);

/// The elements (axis: slices) for which `condition`, a bool vector, is true;
/// ONNX Compress. REQUIRES: condition no longer than the axis.
Elements compress(const Elements &x, const Elements &condition, int64_t axis);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_DATAMOVEMENT_H
