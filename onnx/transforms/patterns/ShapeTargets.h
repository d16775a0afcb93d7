//===- ShapeTargets.h - Shapes that are constant after all ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds constants for operands that exporters compute at run time without need:
// the target of a Reshape whose unknown dimensions are copied (0) or inferred
// (-1), that of an Expand that keeps them (1), and the ends of a Slice that
// extends to the end. They follow from the partly known values of the computed
// operands.
//
//   if (auto target = constantReshapeTarget(reshape, evaluation))
//     ... Reshape(x, *target) with allowzero = 0 is the same ...
//
// The result is the same for all values of the dimensions, 0 included, wherever
// the operator does not fail. REQUIRES: the evaluation has run up to the
// operator, which is known (not custom, no references). Thread safety: pure
// functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_SHAPETARGETS_H
#define ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_SHAPETARGETS_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

using ConstantList = llvm::SmallVector<int64_t, 6>;

/// For a Reshape (of version 5 or later) whose shape is known in part: a target
/// of numbers, 0 (copied; allowzero is 0) and at most one -1. Nothing if there
/// is none, or if the rest could not be inferred because another dimension may
/// be 0 where the computed shape works; `assumeNoneEmpty` leaves that aside.
std::optional<ConstantList> constantReshapeTarget(Operator reshape,
                                                  const Evaluation &evaluation,
                                                  bool assumeNoneEmpty = false);

/// For an Expand whose shape is known in part: numbers, with 1 for dimensions
/// that the input has already.
std::optional<ConstantList> constantExpandTarget(Operator expand,
                                                 const Evaluation &evaluation);

/// For a Slice (of version 10 or later) with ends that are known in part, and
/// known axes and steps: numbers, with the largest int64 for the end.
std::optional<ConstantList> constantSliceEnds(Operator slice,
                                              const Evaluation &evaluation);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_SHAPETARGETS_H
