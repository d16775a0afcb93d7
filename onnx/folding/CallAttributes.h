//===- CallAttributes.h - Functions as they are for one call -*- C++ -*-===//
//
// In the body of a function of the model attributes may refer to those of the
// function. A copy of the body for one call has their values.
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

/// `copy` is an operation of the body of `function`, perhaps with bodies of its
/// own: references in it become the attributes of `call`, or the function's
/// defaults. A Constant whose value was a parameter becomes an onnx.Constant,
/// which replaces it: that is returned if it is `copy` itself, otherwise `copy`
/// is. An attribute of the call may itself refer to the function around it:
/// then so do the references. Unchanged are operators that would not fit their
/// schema, those that refer to a graph, and those for which a default of
/// `function` would apply only if the function around the call gets no value.
mlir::Operation *resolveReferences(mlir::Operation *copy, const Operator &call,
                                   mlir::Operation *function);

/// The same for one operator of `copy`, without its bodies. Returns what takes
/// its place.
mlir::Operation *resolveOwnReferences(Operator node, const Operator &call,
                                      mlir::Operation *function);

/// resolveReferences would leave none to `function` in a copy of `op`.
bool canResolveReferences(mlir::Operation *op, const Operator &call,
                          mlir::Operation *function);

/// The function that an operation calls, of those in `functions` (null: there
/// are none), or null; see mayBeCalled.
mlir::Operation *calledFunction(const Operator &call,
                                const mlir::SymbolTable *functions);

/// It is not only declared, and who calls it does so for sure (Model.h,
/// ambiguousAttrName).
bool mayBeCalled(mlir::Operation *function);

/// A function specialised for one call: with the attributes of the call,
/// without its missing operands (their uses become absent values), and without
/// the types that the function states, which need not hold for it.
mlir::OwningOpRef<mlir::Operation *> copyForCall(mlir::Operation *function,
                                                 mlir::Operation *call,
                                                 mlir::IRMapping &copies);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_CALLATTRIBUTES_H
