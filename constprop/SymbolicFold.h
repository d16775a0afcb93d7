//===- SymbolicFold.h - Arithmetic on partly known integers -----*- C++ -*-===//
//
// What a kernel of integer arithmetic does with tensors of symbols:
//
//   if (cx.isSymbolic())
//     return foldSymbols(cx, SymbolOp::Add);
//
// Operands broadcast as numpy does. Floats are symbols as well, of the types
// that SymbolicFloats.h covers. Booleans are symbols too, 0 or 1: a
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
  Negate, // of one operand, as the two below
  Absolute,
  Not,
  Floor, // of one operand, a float
  Ceil,
  Round, // halves to even
};

/// All inputs of `cx`, which are tensors of symbols, combined from left to
/// right.
FoldResult foldSymbols(FoldContext &cx, SymbolOp op);

/// Inputs #1 and #2 where input #0 is true, or not.
FoldResult selectSymbols(FoldContext &cx);

/// Input #0 reduced over axes in [0, rank): Add, Multiply, Minimum or Maximum.
FoldResult reduceSymbols(FoldContext &cx, SymbolOp op, ShapeRef axes,
                         bool keepDims);

/// Input #0, a tensor of symbols, in another type. Unknown for types that
/// symbols are not followed through (u64, integers of less than a byte, floats
/// of 8 bits).
FoldResult castSymbols(FoldContext &cx, DataType type);

/// `value` as symbols, if it has a type of which there are any, else as it is.
Elements asSymbols(const Elements &value, DimExprs &exprs);

/// A tensor of symbols that are all known as an ordinary tensor of `type` (i64
/// if undefined); any other tensor of symbols as it is.
Elements resolveSymbols(const Elements &value, DataType type,
                        const DimExprs &exprs);

/// Both are known, as numbers or symbols, to be equal in type, shape and all
/// elements, whatever values the symbols take. REQUIRES: one table.
bool haveEqualValues(const ValueState &a, const ValueState &b);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_SYMBOLICFOLD_H
