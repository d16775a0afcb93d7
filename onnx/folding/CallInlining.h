//===- CallInlining.h - Functions of the model in place of calls -*- C++ -*-===//
//
// For whoever knows operators only: the operations of a function take the place
// of each call, with the attributes of the call (CallAttributes.h), also in
// bodies and in what was inlined.
//
//   inlineCalls(module, {mainGraph});
//
// Calls of functions that may not be called (mayBeCalled) are kept, and so are
// calls that are nested more than 64 deep, and those beyond 131,072 operations:
// functions that call each other twice would double that with each level.
// Functions are not erased. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_CALLINLINING_H
#define ONNXFOLD_ONNX_FOLDING_CALLINLINING_H

#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace onnxfold {

/// Inlines calls below `roots`. `inlined`, if there is one, is told what took the
/// place of a call, while that is still there.
void inlineCalls(
    mlir::ModuleOp module, llvm::ArrayRef<mlir::Operation *> roots,
    llvm::function_ref<void(const Operator &call,
                            llvm::ArrayRef<mlir::Operation *> copies)>
        inlined = nullptr);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_CALLINLINING_H
