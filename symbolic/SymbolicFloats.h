//===- SymbolicFloats.h - Floats that are only partly known -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Follows sizes that exporters cast to a float, scale, round down and cast
// back. A partly known float is a symbol of the same table as the integers. A
// whole number is the symbol of that integer, so a cast that does not change
// the value is free. For all other symbols (halves, constants, unknowns) the
// table records what they are.
//
//   SymbolicFloats f64(symbols, DataType::Float64);
//   DimExpr x = f64.ofInteger(n);                    // == n
//   DimExpr y = f64.floor(f64.multiply(x, f64.known(0.5)));
//   f64.toInteger(y, DataType::Int64);                    // == n / 2
//
// Conclusions hold for every value that the integers may have, in the float
// type's own arithmetic, which rounds. With p the bits of a significand (53,
// 24, 11, 8):
// - whole numbers up to 2^p are exact, and so are their sums, differences and
//   products as long as the result is such a number;
// - these numbers divided by a power of two are exact, too;
// - for a / b with whole a >= 0 and b > 0, and a + b <= 2^p, rounding does not
//   reach the whole numbers next to the quotient: these are 1 / b away or more,
//   and half a unit in the last place of one of them is less. The quotient
//   rounded down, up, or to zero is that of the integers;
// - a larger integer is cast to a whole number, which may be another one;
// - of every other value only bounds are known (rounding is monotone), and that
//   equal operands give equal values.
// A dimension below 2^31 (DimExprs.h) is exact in f64; in f32 only where it is
// known to be small.
//
// A symbol that is not a known number is never -0: values that might be -0 are
// not followed. A symbol without bounds may be infinite, or NaN. Thread safety:
// that of the table.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SYMBOLIC_SYMBOLICFLOATS_H
#define ONNXFOLD_SYMBOLIC_SYMBOLICFLOATS_H

#include "onnxfold/symbolic/DimExprs.h"

namespace onnxfold {

/// The floats of one type among the symbols of a table.
class SymbolicFloats {
public:
  /// True for f16, bf16, f32 and f64; other types are not followed.
  static bool covers(DataType type);

  /// REQUIRES: covers(type).
  SymbolicFloats(DimExprs &exprs, DataType type);

  /// The symbol of a number. REQUIRES: `value` is a value of this type.
  DimExpr known(double value);
  /// The number, if it is known. The symbol may be of any type.
  static std::optional<double> valueOf(DimExpr a, const DimExprs &exprs);

  /// Casts. toInteger() rounds to zero; it returns nothing for a number that is
  /// out of range, for which the cast is undefined. REQUIRES: `to` is bool, or
  /// an integer type of 8 bits or more, u64 excepted.
  DimExpr ofInteger(DimExpr a);
  DimExpr ofFloat(DimExpr a, DataType from);
  std::optional<DimExpr> toInteger(DimExpr a, DataType to);

  DimExpr add(DimExpr a, DimExpr b);
  DimExpr subtract(DimExpr a, DimExpr b);
  DimExpr multiply(DimExpr a, DimExpr b);
  DimExpr divide(DimExpr a, DimExpr b);
  DimExpr minimum(DimExpr a, DimExpr b);
  DimExpr maximum(DimExpr a, DimExpr b);
  DimExpr negate(DimExpr a);
  DimExpr absolute(DimExpr a);
  DimExpr floor(DimExpr a);
  DimExpr ceil(DimExpr a);
  /// Rounds halves to even.
  DimExpr round(DimExpr a);

  /// 0 or 1 if the comparison is decided, otherwise a symbol that is 0 or 1.
  DimExpr equal(DimExpr a, DimExpr b);
  DimExpr less(DimExpr a, DimExpr b);
  DimExpr lessOrEqual(DimExpr a, DimExpr b);
  /// a if the condition is not 0, else b.
  DimExpr select(DimExpr condition, DimExpr a, DimExpr b);

  /// The symbol of another table in this one, with everything that is known of
  /// it except its operands; nothing if it has no record (an integer).
  static std::optional<DimExpr> import(DimExpr a, const DimExprs &from,
                                       DimExprs &into);

private:
  struct View;

  View view(DimExpr a) const;
  double rounded(double value) const;
  std::optional<DimExpr> fraction(DimExpr a, int64_t b, bool scaled);
  std::optional<DimExpr> exactSum(const View &x, const View &y, int sign);
  std::optional<DimExpr> exactProduct(const View &x, const View &y);
  std::optional<DimExpr> quotient(const View &x, const View &y);
  std::optional<std::pair<DimExpr, DimExpr>> crosswise(const View &x,
                                                       const View &y);
  DimExpr other(int operation, DimExpr a, DimExpr b);
  DimExpr between(int operation, DimExpr a, DimExpr b, double least,
                  double most);
  DimExpr whole(int operation, DimExpr a, const View &x,
                double (*function)(double));
  DimExpr truth(int operation, DimExpr a, DimExpr b);

  DimExprs &exprs;
  DataType type;
  double exactBelow, finiteBelow;
};

} // namespace onnxfold

#endif // ONNXFOLD_SYMBOLIC_SYMBOLICFLOATS_H
