//===- SequenceShapes.h - Sizes of what a sequence holds --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rule of SymbolicShapes.h for operators that take tensors from a sequence
// whose producers say which tensors it holds. Their types are those of the IR:
// what was inferred of them is in there by then.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_SEQUENCESHAPES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_SEQUENCESHAPES_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// The shape of the result of ConcatFromSequence or SequenceAt; nothing for
/// other operators, or if the tensors or their ranks are not known. REQUIRES: one
/// state for each operand.
std::optional<llvm::SmallVector<DimExpr, 4>>
shapeFromSequence(Operator op, llvm::ArrayRef<const ValueState *> operands,
                  DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_SEQUENCESHAPES_H
