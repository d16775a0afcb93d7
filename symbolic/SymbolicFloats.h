//===- SymbolicFloats.h - Floats that are only partly known -----*- C++ -*-===//
//
// What exporters make of sizes: cast to a float, scaled, rounded down, cast
// back. A float that is known in part is a symbol of the same table as the
// integers are. A whole number is the symbol of that integer, so a cast that
// changes nothing is no step at all; other symbols (halves, numbers, what is
// not followed) have a note of what they are.
//
//   SymbolicFloats f64(symbols, DataType::Float64);
//   SymbolHandle x = f64.ofInteger(n);                    // == n
//   SymbolHandle y = f64.floor(f64.multiply(x, f64.known(0.5)));
//   f64.toInteger(y, DataType::Int64);                    // == n / 2
//
// What is concluded holds for every value that the integers may have, in the
// float type's own arithmetic, which rounds. With p the bits of a significand
// (53, 24, 11, 8):
// - whole numbers up to 2^p are exact, and sums, differences and products of
//   them as long as the result is one;
// - so are these divided by a power of two;
// - a / b, both whole, a >= 0, b > 0, a + b <= 2^p: rounding does not reach the
//   whole numbers next to it, as these are 1 / b away or more, and half a unit
//   in the last place of one of them is less. Rounded down, up, or cut off it
//   is what the integers give;
// - a larger integer that is cast is a whole number all the same, another one;
// - of everything else bounds are known, as rounding is monotone, and that it
//   is the same where the operands are.
// A dimension below 2^31 (Symbols.h) is exact in f64; in f32 only where it is
// known to be small.
//
// A symbol without a number never is -0: what might be is not followed. One
// without bounds may be infinite, or no number.
// Thread safety: that of the table.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SYMBOLIC_SYMBOLICFLOATS_H
#define ONNXFOLD_SYMBOLIC_SYMBOLICFLOATS_H

#include "onnxfold/symbolic/DimExprs.h"

namespace onnxfold {

/// The floats of one type among the symbols of a table.
class SymbolicFloats {
public:
  /// f16, bf16, f32 and f64; others are not followed.
  static bool covers(DataType type);

  /// REQUIRES: covers(type).
  SymbolicFloats(Symbols &symbols, DataType type);

  /// REQUIRES: `value` is one of this type.
  SymbolHandle known(double value);
  /// The number, if it is known: of any type.
  static std::optional<double> valueOf(SymbolHandle a, const Symbols &symbols);

  /// Casts. toInteger: rounded to zero; nothing for a number that is out of
  /// range, which is undefined. REQUIRES: `to` is bool, or an integer type of 8
  /// bits or more, u64 excepted.
  SymbolHandle ofInteger(SymbolHandle a);
  SymbolHandle ofFloat(SymbolHandle a, DataType from);
  std::optional<SymbolHandle> toInteger(SymbolHandle a, DataType to);

  SymbolHandle add(SymbolHandle a, SymbolHandle b);
  SymbolHandle subtract(SymbolHandle a, SymbolHandle b);
  SymbolHandle multiply(SymbolHandle a, SymbolHandle b);
  SymbolHandle divide(SymbolHandle a, SymbolHandle b);
  SymbolHandle minimum(SymbolHandle a, SymbolHandle b);
  SymbolHandle maximum(SymbolHandle a, SymbolHandle b);
  SymbolHandle negate(SymbolHandle a);
  SymbolHandle absolute(SymbolHandle a);
  SymbolHandle floor(SymbolHandle a);
  SymbolHandle ceil(SymbolHandle a);
  /// Halves to even.
  SymbolHandle round(SymbolHandle a);

  /// 0 or 1, and a symbol that is either where it depends.
  SymbolHandle equal(SymbolHandle a, SymbolHandle b);
  SymbolHandle less(SymbolHandle a, SymbolHandle b);
  SymbolHandle lessOrEqual(SymbolHandle a, SymbolHandle b);
  /// a where the condition is not 0, else b.
  SymbolHandle select(SymbolHandle condition, SymbolHandle a, SymbolHandle b);

  /// Symbol of another table, with all that is known there but for what it was
  /// made of; nothing if it has no note (an integer).
  static std::optional<SymbolHandle> import(SymbolHandle a, const Symbols &from,
                                            Symbols &into);

private:
  struct View;

  View view(SymbolHandle a) const;
  double rounded(double value) const;
  std::optional<SymbolHandle> fraction(SymbolHandle a, int64_t b, bool scaled);
  std::optional<SymbolHandle> exactSum(const View &x, const View &y, int sign);
  std::optional<SymbolHandle> exactProduct(const View &x, const View &y);
  std::optional<SymbolHandle> quotient(const View &x, const View &y);
  std::optional<std::pair<SymbolHandle, SymbolHandle>> crosswise(const View &x,
                                                                 const View &y);
  SymbolHandle other(int operation, SymbolHandle a, SymbolHandle b);
  SymbolHandle between(int operation, SymbolHandle a, SymbolHandle b,
                       double least, double most);
  SymbolHandle whole(int operation, SymbolHandle a, const View &x,
                     double (*function)(double));
  SymbolHandle truth(int operation, SymbolHandle a, SymbolHandle b);

  Symbols &symbols;
  DataType type;
  double exactBelow, finiteBelow;
};

} // namespace onnxfold

#endif // ONNXFOLD_SYMBOLIC_SYMBOLICFLOATS_H
