//===- SymbolicShapeRules.h - Sizes of some families ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rules of SymbolicShapes.h that have a source of their own. Each returns
// nothing for operators that are not of its family. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_SYMBOLICSHAPERULES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_SYMBOLICSHAPERULES_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// Operators that move a window over an image: the shape of a result of Conv,
/// ConvInteger, QLinearConv, ConvTranspose, MaxPool, AveragePool or LpPool;
/// nothing if the window is not known.
std::optional<llvm::SmallVector<DimExpr, 4>>
windowShape(Operator op, llvm::ArrayRef<const ValueState *> operands,
            DimExprs &exprs);

/// Operators that take tensors from a sequence whose producers say which
/// tensors it holds: the shape of the result of ConcatFromSequence or
/// SequenceAt; nothing if the tensors or their ranks are not known. Types of
/// tensors are those of the IR: what was inferred of them is in there by then.
/// REQUIRES: one state for each operand.
std::optional<llvm::SmallVector<DimExpr, 4>>
shapeFromSequence(Operator op, llvm::ArrayRef<const ValueState *> operands,
                  DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_SYMBOLICSHAPERULES_H
