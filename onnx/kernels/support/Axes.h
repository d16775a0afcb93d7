//===- Axes.h - Axes, lists and scalars of an operation ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the operands and attributes that say where a kernel works: `axis`,
// `axes`, sizes, counts. Many of them are attributes in early versions of an
// operator and inputs in later ones.
//
//   ReasonOr<int64_t> axis = axisOf(cx, /*byDefault=*/0, x.rank());
//   if (!axis)
//     return axis.reason();
//
// Negative axes count from the end. Versions before 11 do not mention them, but
// no other meaning is possible, so they are accepted there too.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_AXES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_AXES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// Attribute `axis` of a tensor of that rank, in [0, rank).
ReasonOr<int64_t> axisOf(FoldContext &cx, int64_t byDefault, int64_t rank);

/// Folds Softmax, LogSoftmax and Hardmax by f(x, axis). Before version 13 x is
/// flattened to a matrix at `axis` (by default 1), and f works on its rows;
/// from version 13 on f works along `axis` (by default the last).
FoldResult foldAlongAxis(FoldContext &cx,
                         Elements (*f)(const Elements &x, int64_t axis));

/// The axes in [0, rank); a reason if one is out of range or occurs twice.
ReasonOr<Shape> normalizedAxes(ShapeRef axes, int64_t rank);

/// The same, but in a program (mustDecide) a repeated axis counts once, as in
/// ONNX Runtime; the reference evaluator refuses it, and the text says nothing.
ReasonOr<Shape> axesOnce(FoldContext &cx, ShapeRef axes, int64_t rank);

/// 0, 1 ... count - 1.
Shape firstAxes(int64_t count);

/// A list of integers that is attribute `name` before version `inputSince`, and
/// input number `input` from that version on; nothing if it is left out.
std::optional<Shape> attributeOrInput(FoldContext &cx, llvm::StringRef name,
                                      unsigned input, int inputSince);

/// A reason if an input does not have exactly one element. Where the
/// specification asks for a scalar, models often have a vector of one element,
/// which means the same.
Reason checkOneElement(FoldContext &cx, unsigned input);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_AXES_H
