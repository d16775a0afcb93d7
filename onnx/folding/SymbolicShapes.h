//===- SymbolicShapes.h - Shapes that ONNX does not infer -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ONNX's own inference functions work with numbers and copied names. Where they
// give up, an expression is often still known: the sum of two concatenated
// dimensions, the inferred dimension of a Reshape, the number of windows of a
// convolution, the length of a Slice.
//
//   DerivedShapes shapes = deriveShapes(op, operands, symbols);
//   if (shapes[0]) ... (*shapes[0])[axis] ...
//
// The shape of a result holds if the operator does not fail. If a computed
// shape has a 0 that Reshape takes for "copy" (a dimension that is empty at run
// time, at another place), the result is different; ONNX's functions do not see
// that either. Thread safety: that of the table.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_SYMBOLICSHAPES_H
#define ONNXFOLD_ONNX_FOLDING_SYMBOLICSHAPES_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

using SymbolicShape = llvm::SmallVector<DimExpr, 4>;
/// One shape for each result; nothing where no rule knows more than ONNX.
using DerivedShapes = llvm::SmallVector<std::optional<SymbolicShape>, 2>;

/// The shapes of the results. REQUIRES: one state for each operand.
DerivedShapes deriveShapes(Operator op,
                           llvm::ArrayRef<const ValueState *> operands,
                           DimExprs &exprs);

/// The result of broadcasting two dimensions.
DimExpr broadcastDimension(DimExpr a, DimExpr b, DimExprs &exprs);

/// The result of broadcasting two shapes.
SymbolicShape broadcastShapes(const SymbolicShape &x, const SymbolicShape &y,
                              DimExprs &exprs);

/// The integers of a tensor of rank 0 or 1, as symbols; nothing if none of them
/// is known, or if there are many.
std::optional<SymbolicShape> elementsAsSymbols(const ValueState &state,
                                               DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_SYMBOLICSHAPES_H
