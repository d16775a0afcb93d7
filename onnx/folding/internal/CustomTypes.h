//===- CustomTypes.h - Types of operators outside the standard --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_CUSTOMTYPES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_CUSTOMTYPES_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/folding/OperatorSchemas.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace onnxfold {

/// ONNX's inference of an operator of the standard.
using InferStandard =
    llvm::function_ref<void(Operator op, llvm::ArrayRef<const ValueState *>,
                            llvm::MutableArrayRef<ValueState>)>;

/// Sets the types and shapes of the results that the schema states; what the
/// schema leaves open is not changed. Thread safety: that of creating
/// operations in the context.
void inferCustomTypes(Operator op, const OperatorSchema &schema,
                      llvm::ArrayRef<const ValueState *> operands,
                      llvm::MutableArrayRef<ValueState> results,
                      DimExprs &exprs, InferStandard inferStandard);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_CUSTOMTYPES_H
