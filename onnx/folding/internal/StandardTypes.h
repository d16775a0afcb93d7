//===- StandardTypes.h - Types that ONNX's functions infer ------*- C++ -*-===//
//
// The adapter between the states of the engine and the type inference of the
// ONNX library: operands become its messages, its answers states.
//
// Thread safety: as creating types in the context. Errors: none; of a node that
// ONNX refuses nothing is inferred, and its kernel says what is wrong.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_STANDARDTYPES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_STANDARDTYPES_H

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnx/onnx-ml.pb.h"

namespace onnxfold {

/// Infers the results of an operator of the standard with ONNX's functions, and
/// their sizes with symbols where those know less. Kinds of results that are no
/// tensors are noted in `types`.
void inferStandardTypes(Operator op,
                        llvm::ArrayRef<const ValueState *> operands,
                        llvm::MutableArrayRef<ValueState> results,
                        DimExprs &exprs, ValueTypes &types);

/// The type that the model states, or else the one that was inferred.
mlir::Type declaredOrInferred(mlir::Value value, const ValueTypes &types);

/// The kind of a value that is no tensor; null for a tensor. Shapes are left
/// out: they may change from one iteration to the next.
mlir::Type kindOf(const onnx::TypeProto &proto, mlir::MLIRContext *context);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_STANDARDTYPES_H
