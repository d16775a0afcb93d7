//===- StandardTypes.h - Types that ONNX's functions infer ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The adapter between the states of the engine and the type inference of the
// ONNX library: states of operands become protobuf messages, and the inferred
// types become states.
//
// Thread safety: that of creating types in the context. Errors: none. Nothing
// is inferred for a node that ONNX refuses; its kernel says what is wrong.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_STANDARDTYPES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_STANDARDTYPES_H

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnx/onnx-ml.pb.h"

namespace onnxfold {

/// Infers the results of an operator of the standard with ONNX's functions, and
/// their sizes with symbols where these functions know less. The types of
/// results that are no tensors are noted in `types`. False if these functions
/// refuse the node, or say a size that is disputed.
bool inferStandardTypes(Operator op,
                        llvm::ArrayRef<const ValueState *> operands,
                        llvm::MutableArrayRef<ValueState> results,
                        DimExprs &exprs, ValueTypes &types);

/// The type that the model states, or else the one that was inferred.
mlir::Type declaredOrInferred(mlir::Value value, const ValueTypes &types);

/// The type of a value that is no tensor, without shapes, which may change from
/// one iteration to the next; null for a tensor.
mlir::Type kindOf(const onnx::TypeProto &proto, mlir::MLIRContext *context);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_STANDARDTYPES_H
