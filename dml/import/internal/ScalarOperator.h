//===- ScalarOperator.h - An operator of DML and known scalars --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Evaluates an operator of two scalars as far as they are known: its type, its
// value, a bound. It makes no nodes.
//
//   ScalarOperator divided("%/%");
//   divided.type(seven, two);     // Int
//   divided.value(seven, two);    // 3
//   ScalarOperator("+").least(rows, one); // rows >= 1, so the sum is >= 2
//
// Thread safety: pure. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_SCALAROPERATOR_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_SCALAROPERATOR_H

#include "onnxfold/dml/import/internal/DmlValue.h"

namespace onnxfold::dml {

class ScalarOperator {
public:
  /// `sign`: as it is written, of two operands: + - * / ^ %% %/% < & ...
  explicit ScalarOperator(llvm::StringRef sign) : sign(sign) {}

  /// < <= > >= == !=
  bool isComparison() const;
  /// & && | ||
  bool isLogical() const { return sign[0] == '&' || sign[0] == '|'; }
  bool isArithmetic() const { return !isComparison() && !isLogical(); }
  /// The operator of ONNX, of %% and %/% that of integers; of != another node
  /// follows.
  llvm::StringRef onnxName() const;

  /// The type of the result; operands are no texts.
  DmlValue::Type type(const DmlValue &a, const DmlValue &b) const;
  /// The result if operands decide it: both are known, or one decides a logical
  /// operator. REQUIRES: !isDivisionByZero(a, b).
  std::optional<DmlValue> value(const DmlValue &a, const DmlValue &b) const;
  /// %/% of integers by 0, where SystemDS fails.
  bool isDivisionByZero(const DmlValue &a, const DmlValue &b) const;
  /// What the result of integers is not below; the smallest number if no bound
  /// is known. Sizes are far from overflow.
  int64_t least(const DmlValue &a, const DmlValue &b) const;

  /// Added to the size of the quotient of doubles before %/% rounds it towards
  /// zero; x %% y is x - (x %/% y) * y. Source: IntegerDivide, Modulus and
  /// UtilFunctions of SystemDS.
  static constexpr double ofWhole = 0x1p-53;
  /// The largest finite quotient, which is an integer of 64 bits.
  static constexpr double mostWhole = 0x1p63;
  static double wholeQuotient(double a, double b);

private:
  double computed(double a, double b, bool areInts) const;

  llvm::StringRef sign;
};

/// What --bind says of $name: TRUE, FALSE, a number or a text.
DmlValue boundValue(llvm::StringRef text);
/// The same, where ifdef($name, byDefault) says which type it has.
DmlValue boundValue(llvm::StringRef text, const DmlValue &byDefault);
/// The text of a value, as `+` and toString() make it; open if its digits are
/// not known.
DmlValue textOf(const DmlValue &value);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_SCALAROPERATOR_H
