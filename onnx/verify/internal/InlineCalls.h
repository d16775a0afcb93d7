//===- InlineCalls.h - Calls of a model's functions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Replaces calls of the model's functions by the operations of the functions.
// So an operator in a function that cannot be run is named itself, and the
// other operators of the function are run.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_INLINECALLS_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_INLINECALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold {

/// Stands between the key of a call and the names of its values, which have no
/// such byte themselves.
inline constexpr char inlinedNameMark = 0x1f;

/// Inlines calls in `function` (AlwaysInline.h). The key of the call
/// (Execution.h) is put before the names of values of the inlined function, so
/// that they are the same in two modules of one model.
void inlineNamedCalls(mlir::ModuleOp module,
                      mlir::FunctionOpInterface function);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_INLINECALLS_H
