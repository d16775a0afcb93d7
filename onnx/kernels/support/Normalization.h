//===- Normalization.h - What normalising kernels share ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Computes means, variances, and the last steps of a normalisation: everything
// is computed in double, from the unrounded values where operands are wide, and
// rounded once at the end.
//
//   Moments m = momentsOf(x, axes);
//   Elements y = dividedBy(m.centred, rootOf(m.variance, epsilonOf(cx)));
//   return roundedResult(cx, scaledBy(y, unroundedInput(cx, 1)));
//
// Operands broadcast by numpy's rules. Thread safety: pure functions. REQUIRES:
// float types (checkFloats).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_NORMALIZATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_NORMALIZATION_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

namespace onnxfold {

/// The moments of x along some axes, which have size 1 in the results; all are
/// f64.
struct Moments {
  Elements mean;
  Elements centred;  // x - mean
  Elements variance; // of the population: the mean of centred^2
};

/// Computes the moments in two passes, so that a variance is never the
/// difference of two large sums. REQUIRES: x is not empty, or the means are
/// empty too.
Moments momentsOf(const Elements &x, ShapeRef axes);

/// sqrt(x + epsilon). REQUIRES: f64.
Elements rootOf(const Elements &x, double epsilon);

/// x * factor, x / divisor, x + shift, x - shift. The result is x if the other
/// operand is null. REQUIRES: f64.
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

/// A reason if an input is not a float (f16, bf16, f32, f64), or, unless types
/// may be mixed, if it has another type than input #0.
Reason checkFloats(FoldContext &cx, bool mixed = false);

/// A reason if an input does not have that shape.
Reason checkShape(FoldContext &cx, unsigned i, ShapeRef shape);

/// A reason if an input does not broadcast to the shape of input #0.
Reason checkBroadcastsToFirst(FoldContext &cx, unsigned i);

/// A reason if attribute `stash_type`, the least precise type in which the
/// specification computes, is none of these. (Kernels compute in f64, so it has
/// no other effect.)
Reason checkStashType(FoldContext &cx, llvm::ArrayRef<DataType> allowed);

/// Attribute `epsilon`, 1e-5 if it is left out.
double epsilonOf(FoldContext &cx);

/// All axes of input #0 from attribute `axis` (by default the last) on.
ReasonOr<Shape> axesFromAttribute(FoldContext &cx);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_NORMALIZATION_H
