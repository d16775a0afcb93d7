//===- SymbolicShapes.h - Shapes that ONNX does not infer -------*- C++ -*-===//
//
// ONNX's own inference functions work with numbers and copied names. Where they
// give up, the symbols of an evaluation often go on: the sum of two dimensions
// that are concatenated, the rest of a Reshape, the windows of a convolution,
// what is left of a Slice.
//
//   DerivedShapes shapes = deriveShapes(op, operands, symbols);
//   if (shapes[0]) ... (*shapes[0])[axis] ...
//
// What is said of a result holds wherever the operator does not fail. Where a
// shape that is computed has a 0 which Reshape takes for "copy" (a dimension
// that is empty at run time, not at its own place), the result is another one;
// ONNX's functions do not see that either.
// Thread safety: that of the table.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_SYMBOLICSHAPES_H
#define ONNXFOLD_ONNX_FOLDING_SYMBOLICSHAPES_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

using SymbolicShape = llvm::SmallVector<DimExpr, 4>;
/// One for each result; nothing where no rule knows more than ONNX.
using DerivedShapes = llvm::SmallVector<std::optional<SymbolicShape>, 2>;

/// REQUIRES: one state for each operand.
DerivedShapes deriveShapes(Operator op,
                           llvm::ArrayRef<const ValueState *> operands,
                           DimExprs &exprs);

/// Two dimensions that broadcast.
DimExpr broadcastDimension(DimExpr a, DimExpr b, DimExprs &exprs);

/// The integers of a tensor of rank 0 or 1, as symbols; nothing if they are not
/// known even in part, or are many.
std::optional<SymbolicShape> elementsAsSymbols(const ValueState &state,
                                               DimExprs &exprs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_SYMBOLICSHAPES_H
