//===- Passes.h - Passes that lower ownership -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// From buffers and ownership to the LLVM dialect: what MLIR does not lower, or
// not correctly. Passes.td declares and docs/passes.md describes the passes;
// dealloc/Passes.h has the pipelines. addScalarsToLLVM is the part that all
// pipelines to the LLVM dialect end with.
// Thread safety: as passes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_LOWERING_PASSES_H
#define ONNXFOLD_DEALLOC_LOWERING_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace onnxfold {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/dealloc/lowering/Passes.h.inc"

/// All operations of arith, math and index on numbers to the LLVM dialect, of
/// any float that MLIR can extend to f32. Powers by integers become functions
/// of the module; those that LLVM has no intrinsic for call libm.
/// REQUIRES: verify-scalars has seen the operations; loops are blocks, and no
/// operation computes on tensors.
void addScalarsToLLVM(mlir::OpPassManager &pm);

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_LOWERING_PASSES_H
