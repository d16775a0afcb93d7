//===- SymbolicWindows.h - Sizes of convolved images ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rule of SymbolicShapes.h for operators that move a window over an image.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_SYMBOLICWINDOWS_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_SYMBOLICWINDOWS_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// The shape of a result of Conv, ConvInteger, QLinearConv, ConvTranspose,
/// MaxPool, AveragePool or LpPool; nothing for other operators, or if the
/// window is not known.
std::optional<llvm::SmallVector<DimExpr, 4>>
windowShape(Operator op, llvm::ArrayRef<const ValueState *> operands,
            DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_SYMBOLICWINDOWS_H
