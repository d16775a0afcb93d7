//===- PlainTypes.h - Types of the commonest operators ----------*- C++ -*-===//
//
// What ONNX's inference functions would say of an element-wise operator, a
// product of matrices, a Slice or a ReduceSum, where that is plain: no messages
// are made to ask them, which is a fifth of the instructions of a long chain of
// small nodes. Dimensions are passed on as they are, named or not.
//
// Thread safety: pure functions. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_PLAINTYPES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_PLAINTYPES_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// Of the only result; nothing: ask ONNX's functions.
std::optional<ValueState>
inferPlainly(Operator op, llvm::ArrayRef<const ValueState *> operands,
             DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_PLAINTYPES_H
