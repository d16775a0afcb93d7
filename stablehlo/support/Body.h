//===- Body.h - Bodies of scalars, run on tensors ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reductions, sorts and scatters have bodies that compute with scalars
// (tensors of rank 0). A body runs once for all elements: each of its
// operations on tensors that have an element for each place where it would run.
//
//   // ^bb0(%a: tensor<f32>, %b: tensor<f32>): the sums of two tensors
//   ReasonOr<Values> sums = runBody(cx, region, {x, y});
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_SUPPORT_BODY_H
#define ONNXFOLD_STABLEHLO_SUPPORT_BODY_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/elements/ops/Reduce.h"

namespace onnxfold::hlo {

using Values = llvm::SmallVector<Elements, 2>;

/// Returns the body's results for arguments of one shape (or rank 0). A reason
/// if an operation of it is not element by element, or if it does not take as
/// many arguments.
ReasonOr<Values> runBody(FoldContext &cx, mlir::Region &body,
                         llvm::ArrayRef<Elements> arguments);

/// The only body of the operation. REQUIRES: it has one region.
mlir::Region &bodyOf(FoldContext &cx);

/// The only operation of a body of two arguments, where it combines these and
/// the body returns the result: "add"; empty for other bodies.
llvm::StringRef combinationOf(mlir::Region &body);

/// The number of the argument that a body returns; nothing for other bodies.
std::optional<unsigned> returnedArgument(mlir::Region &body);

/// x combined over dimension 0, in order, by a tree; each x has at least one
/// element there. The body takes the values of the left and then those of the
/// right.
ReasonOr<Values> combineFirst(FoldContext &cx, mlir::Region &body,
                              Values values);

} // namespace onnxfold::hlo

#endif // ONNXFOLD_STABLEHLO_SUPPORT_BODY_H
