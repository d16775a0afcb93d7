//===- Indices.h - What gathering and scattering kernels check --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_INDICES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_INDICES_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"

namespace onnxfold {

/// A reason if an element of `indices` is outside [-n, n).
Reason checkIndices(const Elements &indices, int64_t n);

/// A reason if an index is negative, which versions before 11 do not define.
Reason checkNotNegative(const Elements &indices);

/// A reason if `indices` along `axis` of x do not have the rank of x, or are
/// larger than x in another dimension.
Reason checkExtent(const Elements &indices, const Elements &x, int64_t axis);

/// A reason if an index of a tuple (a row of the last dimension) is outside its
/// dimension of `shape`, of which the first belongs to `firstAxis`.
Reason checkIndexTuples(const Elements &indices, ShapeRef shape,
                        int64_t firstAxis = 0);

/// Attribute `reduction` of ScatterElements and ScatterND at the operator's
/// version; nothing if it has no such value.
std::optional<ops::ScatterReduction> scatterReductionOf(FoldContext &cx);

/// A reason if the smaller or larger of two elements may be asked for where one
/// of them is NaN: an element of the data or of the updates is.
Reason checkComparable(FoldContext &cx, ops::ScatterReduction reduction);

/// The reason that attribute `reduction` has an unknown value.
Reason unknownReduction(FoldContext &cx);

/// The reason that two updates write the same element, which is an error unless
/// they are reduced; `repeated` is the number of the second one.
Reason repeatedIndex(int64_t repeated, ShapeRef updates);

/// A reason if the updates do not have the shape that the indices ask for.
Reason checkUpdates(const Elements &updates, ShapeRef expected);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_INDICES_H
