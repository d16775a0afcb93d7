//===- PlainTypes.h - Types of the commonest operators ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Infers what ONNX's inference functions would infer for an element-wise
// operator, a product of matrices, a Slice or a ReduceSum, in the plain cases.
// This saves making protobuf messages for them, which take a fifth of the
// instructions of a long chain of small nodes. Dimensions are copied, named or
// not.
//
// Thread safety: pure functions. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_PLAINTYPES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_PLAINTYPES_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// The state of the only result. If it is nothing, ask ONNX's functions.
std::optional<ValueState>
inferPlainly(Operator op, llvm::ArrayRef<const ValueState *> operands,
             DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_PLAINTYPES_H
