//===- InlineCalls.h - Calls of a model's functions -------------*- C++ -*-===//
//
// The engine computes operators; a call of a function of the model is none.
// Here the function's operations take its place.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_INLINECALLS_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_INLINECALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold {

/// Inlines calls in `function` (CallInlining.h). Names of values of an inlined
/// function get the call's key (Execution.h) in front: they are the same in two
/// modules of one model.
void inlineNamedCalls(mlir::ModuleOp module,
                      mlir::FunctionOpInterface function);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_INLINECALLS_H
