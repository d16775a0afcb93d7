//===- CallAttributes.h - Functions specialised for a call ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In the body of a function of the model, attributes may refer to parameters of
// the function. A copy of the body for one call has the values of these
// parameters instead.
//
// Source: FunctionProto in onnx.proto, and onnx/inliner of the ONNX library: an
// attribute whose parameter has neither a value nor a default is left out.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_CALLATTRIBUTES_H
#define ONNXFOLD_ONNX_FOLDING_CALLATTRIBUTES_H

#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"

namespace onnxfold {

/// Resolves the references in `copy`, a copy of `function` or of an operation
/// of its body, and in bodies of that operation. References become the
/// attributes of `call`, or the function's defaults. An attribute of the call
/// may itself refer to the function around the call; then the references refer
/// to that. A Constant whose value was a parameter is replaced by an
/// onnx.Constant. Returns the replacement of `copy` if `copy` is such a
/// Constant, otherwise `copy`. Operators that would not fit their schema are
/// not changed, nor are those that refer to a graph, nor those for which a
/// default of `function` would apply only if the function around the call gets
/// no value.
mlir::Operation *resolveReferences(mlir::Operation *copy, const Operator &call,
                                   mlir::Operation *function);

/// The same for one operator, without its bodies. Returns the operation that
/// takes its place.
mlir::Operation *resolveOwnReferences(Operator node, const Operator &call,
                                      mlir::Operation *function);

/// True if resolveReferences would leave no reference to `function` in a copy
/// of `op`.
bool canResolveReferences(mlir::Operation *op, const Operator &call,
                          mlir::Operation *function);

/// The function that an operation calls, of those in `functions` (null: there
/// are none), or null; see mayBeCalled.
mlir::Operation *calledFunction(const Operator &call,
                                const mlir::SymbolTable *functions);

/// True if the function has a body, and it is certain that runtimes call it
/// (Model.h, ambiguousAttrName).
bool mayBeCalled(mlir::Operation *function);

/// A function specialised for one call. It has the attributes of the call. The
/// parameters of missing operands are erased, and their uses become absent
/// values. The types that the function states are erased, because they need not
/// hold for the call.
mlir::OwningOpRef<mlir::Operation *> copyForCall(mlir::Operation *function,
                                                 mlir::Operation *call,
                                                 mlir::IRMapping &copies);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_CALLATTRIBUTES_H
