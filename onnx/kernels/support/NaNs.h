//===- NaNs.h - Operators for which a NaN or infinity decides ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_NANS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_NANS_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold {

/// The name of an attribute of operators that are run, not folded (onnx-run):
/// they have to say something where a NaN decides, and say what the reference
/// evaluator says.
constexpr llvm::StringLiteral runsName = "onnxfold.runs";

bool mustDecide(FoldContext &cx);

/// A reason if an element of input #i is NaN. It is for operators whose text
/// orders or compares elements without a word on NaN, and for which ONNX
/// Runtime and the reference evaluator have different results.
Reason checkNoNaN(FoldContext &cx, unsigned i);

/// The same if one is infinite or NaN: for weighted sums, in which a weight of
/// 0 leaves the element out, or makes the sum NaN.
Reason checkFinite(FoldContext &cx, unsigned i);

/// The same if one is the positive infinity.
Reason checkNoInfinity(FoldContext &cx, unsigned i);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_NANS_H
