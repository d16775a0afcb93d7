//===- SymbolicFold.h - Arithmetic on partly known integers -----*- C++ -*-===//
//
// What a kernel of integer arithmetic does with tensors of symbols:
//
//   if (cx.isSymbolic())
//     return foldSymbols(cx, SymbolOp::Add);
//
// Operands broadcast as numpy does. Thread safety: that of the table, which
// belongs to one Evaluation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_SYMBOLICFOLD_H
#define ONNXFOLD_CONSTPROP_SYMBOLICFOLD_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold {

enum class SymbolOp { Add, Subtract, Multiply, Divide };

/// inputs #0 and #1 of `cx`, which are tensors of symbols, combined.
FoldResult foldSymbols(FoldContext &cx, SymbolOp op);

/// A tensor of symbols that are all known as an ordinary tensor of `type` (i64
/// if undefined); any other tensor of symbols as it is.
Elements resolveSymbols(const Elements &value, DataType type,
                        const Symbols &symbols);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_SYMBOLICFOLD_H
