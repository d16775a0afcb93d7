//===- Axes.h - Axes, lists and scalars of an operation ---------*- C++ -*-===//
//
// How kernels read what says where to work: `axis`, `axes`, sizes, counts. Many
// moved from an attribute to an input in some version.
//
//   ReasonOr<int64_t> axis = axisOf(cx, /*byDefault=*/0, x.rank());
//   if (!axis)
//     return axis.reason();
//
// Negative axes count from the end. Versions before 11 do not mention them, but
// no other meaning is possible, so they are taken there too.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_AXES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_AXES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// Attribute `axis` of a tensor of that rank, in [0, rank).
ReasonOr<int64_t> axisOf(FoldContext &cx, int64_t byDefault, int64_t rank);

/// Softmax and its relatives: f(x, axis). Before version 13 x is a matrix, cut
/// before `axis` (by default 1), and f works on its rows; from then on along
/// `axis` (by default the last) alone.
FoldResult foldAlongAxis(FoldContext &cx,
                         Elements (*f)(const Elements &x, int64_t axis));

/// Different axes, in [0, rank).
ReasonOr<Shape> normalizedAxes(ShapeRef axes, int64_t rank);

/// 0, 1 ... count - 1.
Shape firstAxes(int64_t count);

/// A list of integers that is an attribute before version `inputSince`, and
/// from then on that input; nothing if it is left out.
std::optional<Shape> attributeOrInput(FoldContext &cx, llvm::StringRef name,
                                      unsigned input, int inputSince);

/// A reason if an input is not one element. Where the specification asks for a
/// scalar, vectors of one element are common and mean the same.
Reason checkOneElement(FoldContext &cx, unsigned input);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_AXES_H
