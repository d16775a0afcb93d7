//===- SymbolicFold.h - Arithmetic on partly known integers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel of integer arithmetic folds tensors of symbols like this:
//
//   if (cx.isSymbolic())
//     return foldSymbols(cx, SymbolOp::Add);
//
// Operands broadcast as in numpy. Floats of the types that SymbolicFloats.h
// covers are symbols as well. Booleans are symbols with the value 0 or 1: a
// comparison is known where it holds for all values of the dimensions, or for
// none. Thread safety: that of the table, which belongs to one Evaluation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_SYMBOLICFOLD_H
#define ONNXFOLD_CONSTPROP_SYMBOLICFOLD_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold {

enum class SymbolOp {
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,    // sign of the divisor
  Remainder, // sign of the dividend
  Minimum,
  Maximum,
  Equal,
  Less,
  Greater,
  LessOrEqual,
  GreaterOrEqual,
  And,
  Or,
  Xor,
  Negate, // this and the two below have one operand
  Absolute,
  Not,
  Floor, // this and the two below have one operand, a float
  Ceil,
  Round, // halves to even
};

/// Combines all inputs of `cx`, which are tensors of symbols, from left to
/// right.
FoldResult foldSymbols(FoldContext &cx, SymbolOp op);

/// Chooses the elements of input #1 where input #0 is true, and those of input
/// #2 elsewhere.
FoldResult selectSymbols(FoldContext &cx);

/// Reduces input #0 over axes in [0, rank) by Add, Multiply, Minimum or
/// Maximum.
FoldResult reduceSymbols(FoldContext &cx, SymbolOp op, ShapeRef axes,
                         bool keepDims);

/// Casts input #0, a tensor of symbols, to another type. The result is unknown
/// for types that have no symbols (u64, integers of less than a byte, floats of
/// 8 bits).
FoldResult castSymbols(FoldContext &cx, DataType type);

/// Converts `value` to a tensor of symbols. Returns it unchanged if its type
/// has no symbols.
Elements asSymbols(const Elements &value, DimExprs &exprs);

/// Converts a tensor of symbols that are all known to an ordinary tensor of
/// `type` (i64 if undefined). Returns any other tensor of symbols unchanged.
Elements resolveSymbols(const Elements &value, DataType type,
                        const DimExprs &exprs);

/// True if both are known, as numbers or symbols, to be equal in type, shape
/// and all elements, whatever values the symbols take. REQUIRES: the symbols of
/// both are of one table.
bool haveEqualValues(const ValueState &a, const ValueState &b);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_SYMBOLICFOLD_H
