//===- Broadcasting.h - ONNX's broadcasting in DML --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DML broadcasts less than ONNX: a scalar on either side, and a row or a column
// on the right side of a matrix. Other operands are swapped, reshaped or
// expanded before.
//
// Thread safety and errors: as LoweringContext; shapes were checked by ONNX's
// inference.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_BROADCASTING_H
#define ONNXFOLD_DML_SUPPORT_BROADCASTING_H

#include "onnxfold/dml/export/Lowering.h"
#include <functional>

namespace onnxfold::dml {

using UnaryFunction = std::function<Expr(Expr)>;
using BinaryFunction = std::function<Expr(Expr, Expr)>;

/// A value of the computation: a matrix, and the shape of the tensor.
struct Operand {
  View view; ///< any view of it
  Shape dims;
  std::optional<double> number; ///< a constant of one element
};

Operand operandOf(LoweringContext &cx, unsigned input);

/// f of a and b, in the shape `dims` to which they broadcast together. `swapped`
/// is f with its operands exchanged; null if DML has no such function.
View broadcastBinary(LoweringContext &cx, const Operand &a, const Operand &b,
                     const Shape &dims, const BinaryFunction &f,
                     const BinaryFunction &swapped);

/// The operand in the shape `dims`. scalarOrExpanded() returns a scalar of DML
/// for an operand of one element.
View expandTo(LoweringContext &cx, const Operand &operand, const Shape &dims);
Expr scalarOrExpanded(LoweringContext &cx, const Operand &operand,
                      const Shape &dims);

/// Lowers nodes with one input.
Lowered lowerUnary(LoweringContext &cx, const UnaryFunction &f);
template <auto f> Lowered lowerUnary(LoweringContext &cx) {
  return lowerUnary(cx, f);
}
/// Lowers nodes with two inputs.
Lowered lowerBinary(LoweringContext &cx, const BinaryFunction &f,
                    const BinaryFunction &swapped);
/// Lowers nodes with one and more inputs: applies f to the first two, to the
/// result and the third, and so on, and then `finish`, if it is given.
Lowered lowerVariadic(LoweringContext &cx, const BinaryFunction &f,
                      const UnaryFunction &finish = nullptr);

/// Lowers Max and Min.
Lowered lowerExtreme(LoweringContext &cx);

/// `value` wrapped around to the range of an integer type. Floats, integers of
/// 64 bits and bools are not changed.
Expr wrapped(LoweringContext &cx, Expr value, DataType type);

/// One of the values is 0.
bool hasZero(const Elements &values);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_BROADCASTING_H
