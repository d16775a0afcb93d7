//===- AlwaysInline.h - Inlines every call of a function --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Replaces each call of a function of the model by the operations of the
// function, with the attributes of the call (CallAttributes.h), also in bodies
// and in inlined operations. It is for passes that know operators only.
// (onnx/transforms/functions/CallInlining.h inlines only where that pays.)
//
//   inlineCalls(module, {mainGraph});
//
// Calls of functions that may not be called (mayBeCalled) are kept. Calls that
// are nested more than 64 deep are kept, too, and so are those beyond 131,072
// operations: functions that call each other twice would double the number of
// operations with each level. Functions are not erased. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_ALWAYSINLINE_H
#define ONNXFOLD_ONNX_FOLDING_ALWAYSINLINE_H

#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace onnxfold {

/// Inlines calls below `roots`. `inlined`, if given, is called with the copies
/// that replace a call, before the call is erased.
void inlineCalls(
    mlir::ModuleOp module, llvm::ArrayRef<mlir::Operation *> roots,
    llvm::function_ref<void(const Operator &call,
                            llvm::ArrayRef<mlir::Operation *> copies)>
        inlined = nullptr);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_ALWAYSINLINE_H
