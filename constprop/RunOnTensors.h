//===- RunOnTensors.h - Operations of scalars, run on tensors ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of reductions, sorts and structured operations compute with scalars.
// Where the same body runs for a million elements, the kernel of each of its
// operations runs once, with tensors of these elements as operands:
//
//   // %s = arith.addf %a, %b : f32
//   ReasonOr<Elements> sums = runOnTensors(add, {a, b}, cx.exprs());
//
// The operation must work element by element, which is the caller's to know
// (Kernel::isElementwise).
//
// Thread safety: as FoldContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_RUNONTENSORS_H
#define ONNXFOLD_CONSTPROP_RUNONTENSORS_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold {

/// The result of `op`, which has one, for these operands. Limits do not apply:
/// results are deferred, and the operation around the body was checked.
ReasonOr<Elements> runOnTensors(mlir::Operation *op,
                                llvm::ArrayRef<Elements> operands,
                                DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_RUNONTENSORS_H
