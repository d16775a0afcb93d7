//===- FoldHook.h - Kernels behind Operation::fold --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Lets canonicalisation, and every other pass that calls Operation::fold, fold
// the operators that the engine folds. Only results of up to 64 KiB fold, whose
// static type is known, because folders copy and merge attributes freely.
// Floats are rounded after every operation (Precision::Exact).
//
//   OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
//     SmallVector<OpFoldResult, 1> results;
//     if (failed(foldWithKernel(*this, adaptor.getOperands(), results)))
//       return {};
//     return results.front();
//   }
//
// The dialect's materializeConstant makes operations of the attributes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_FOLDHOOK_H
#define ONNXFOLD_CONSTPROP_FOLDHOOK_H

#include "mlir/IR/OpDefinition.h"

namespace onnxfold {

/// Larger results are left to the constprop pass.
inline constexpr uint64_t foldHookLimit = 64 << 10;
/// Operations with more work than this are left to the pass, too, because
/// canonicalisation should not compute for seconds.
inline constexpr uint64_t foldHookWork = 100'000'000;

/// Computes the constant results of `op` for these operand attributes (null
/// where not constant) with the kernel that its dialect's FoldingInterface has.
/// Fails, without results, in every other case. Thread safe.
mlir::LogicalResult
foldWithKernel(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
               llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_FOLDHOOK_H
