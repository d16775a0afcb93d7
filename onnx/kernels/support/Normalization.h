//===- Normalization.h - What normalising kernels share ---------*- C++ -*-===//
//
// Means, variances, and the last steps: all in double, from the unrounded
// values where operands are wide, rounded once at the end.
//
//   Moments m = momentsOf(x, axes);
//   Elements y = dividedBy(m.centred, rootOf(m.variance, epsilonOf(cx)));
//   return roundedResult(cx, scaledBy(y, unroundedInput(cx, 1)));
//
// Operands broadcast as numpy has it. Pure functions; REQUIRES float types
// (checkFloats).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_NORMALIZATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_NORMALIZATION_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

namespace onnxfold {

/// Of x along some axes, which keep size 1; all f64.
struct Moments {
  Elements mean;
  Elements centred;  // x - mean
  Elements variance; // of the population: the mean of centred^2
};

/// In two passes, so that a variance never comes out of a difference. REQUIRES:
/// x is not empty, or there are no means either.
Moments momentsOf(const Elements &x, ShapeRef axes);

/// sqrt(x + epsilon). REQUIRES: f64.
Elements rootOf(const Elements &x, double epsilon);

/// x * factor, x / divisor, x + shift, x - shift. REQUIRES: f64; a null operand
/// leaves x as it is.
Elements scaledBy(const Elements &x, const Elements &factor);
Elements dividedBy(const Elements &x, const Elements &divisor);
Elements shiftedBy(const Elements &x, const Elements &shift);
Elements lessened(const Elements &x, const Elements &shift);

/// y, which is f64, rounded to `type` (by default that of input #0); wide if an
/// input is.
Elements roundedResult(FoldContext &cx, const Elements &y,
                       DataType type = DataType::Undefined);

/// Input i in double, null if it is left out.
Elements unroundedInput(FoldContext &cx, unsigned i);
/// The same of a vector with one element for each index of `axis` of a tensor
/// of that rank, to be broadcast against it.
Elements unroundedVector(FoldContext &cx, unsigned i, int64_t axis,
                         int64_t rank);

/// A reason if an input is no float (f16, bf16, f32, f64), or has another type
/// than input #0 unless types may be mixed.
Reason checkFloats(FoldContext &cx, bool mixed = false);

/// A reason if an input does not have that shape.
Reason checkShape(FoldContext &cx, unsigned i, ShapeRef shape);

/// A reason if an input would not broadcast to input #0 as that stands.
Reason checkBroadcastsToFirst(FoldContext &cx, unsigned i);

/// A reason if attribute `stash_type`, the type in which the text computes at
/// least, is none of these. (Ours is f64, so it matters no further.)
Reason checkStashType(FoldContext &cx, llvm::ArrayRef<DataType> allowed);

/// Attribute `epsilon`, 1e-5 if it is left out.
double epsilonOf(FoldContext &cx);

/// All axes of input #0 from attribute `axis` (by default the last) on.
ReasonOr<Shape> axesFromAttribute(FoldContext &cx);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_NORMALIZATION_H
