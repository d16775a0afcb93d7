//===- SymbolicFloats.cpp - Floats that are only partly known -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/symbolic/SymbolicFloats.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/widenum/Convert.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {

/// What opaque symbols stand for; the table's own names are letters.
enum Operation : int {
  Fraction = 1,
  Quotient,
  RoundedInteger,
  FromFloat,
  ToInteger,
  ToTruth,
  Sum,
  Difference,
  Product,
  Ratio,
  Smaller,
  Larger,
  Negative,
  Magnitude,
  Floor,
  Ceil,
  Nearest,
  IsEqual,
  IsLess,
  IsLessOrEqual,
  Choice,
};

/// What a float is that is not followed further: bounds, if it has any.
struct Note {
  double least = -infinity, most = infinity;
  std::optional<double> value = {};
  /// numerator / denominator, rounded to the type unless that is a power of 2;
  /// 0: nothing is known.
  DimExpr numerator = {-1};
  int64_t denominator = 0;
};

} // namespace

struct DimExprs::FloatNotes {
  llvm::DenseMap<int64_t, Note> of;    // by handle
  std::map<uint64_t, DimExpr> numbers; // by bits
};

/// A note, or what is to be said of an integer.
struct SymbolicFloats::View : Note {
  /// Finite, not negative, and not -0.
  bool isPlain() const {
    return least >= 0 && most < infinity && !std::signbit(least);
  }
  /// Neither infinite nor NaN.
  bool isNumber() const { return least > -infinity && most < infinity; }
  bool excludesZero() const { return least > 0 || most < 0; }
  bool isExact() const {
    return denominator > 0 && llvm::isPowerOf2_64(denominator);
  }
};

bool SymbolicFloats::covers(DataType type) {
  return type == DataType::Float16 || type == DataType::BFloat16 ||
         type == DataType::Float32 || type == DataType::Float64;
}

SymbolicFloats::SymbolicFloats(DimExprs &exprs, DataType type)
    : exprs(exprs), type(type) {
  bool isHalf = type == DataType::Float16;
  unsigned bits = type == DataType::Float64   ? 53
                  : type == DataType::Float32 ? 24
                  : isHalf                    ? 11
                                              : 8;
  exactBelow = std::ldexp(1.0, bits);
  finiteBelow = isHalf ? 0x1p15 : 0x1p62;
  if (!exprs.floats)
    exprs.floats = std::make_shared<DimExprs::FloatNotes>();
}

double SymbolicFloats::rounded(double value) const {
  uint64_t bits = 0;
  convertBlockFromDouble(type, &bits, &value, 1);
  double result;
  convertBlockToDouble(type, &bits, &result, 1);
  return result;
}

SymbolicFloats::View SymbolicFloats::view(DimExpr a) const {
  auto note = exprs.floats->of.find(a.id);
  if (note != exprs.floats->of.end())
    return {note->second};
  ExprRange range = exprs.rangeOf(a);
  View whole;
  whole.least = double(range.least);
  whole.most = double(range.most);
  if (std::optional<int64_t> value = exprs.valueOf(a))
    whole.value = double(*value);
  whole.numerator = a;
  whole.denominator = 1;
  return whole;
}

/// The largest magnitude that an integer may have.
static double largest(DimExpr a, const DimExprs &exprs) {
  ExprRange range = exprs.rangeOf(a);
  return std::max(std::abs(double(range.least)), std::abs(double(range.most)));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

DimExpr SymbolicFloats::known(double value) {
  constexpr double most = 0x1p62;
  bool isWhole = std::abs(value) < most && value == std::floor(value);
  if (isWhole && !(value == 0 && std::signbit(value)))
    return exprs.constant(int64_t(value));
  auto [it, isNew] =
      exprs.floats->numbers.try_emplace(llvm::bit_cast<uint64_t>(value));
  if (!isNew)
    return it->second;
  it->second = exprs.fresh();
  Note note{value, value, value};
  // m / 2^k with an odd m, where the two are integers.
  int exponent = 0;
  auto mantissa = std::isfinite(value)
                      ? int64_t(std::ldexp(std::frexp(value, &exponent), 53))
                      : 0;
  exponent -= 53;
  for (; mantissa != 0 && mantissa % 2 == 0; ++exponent)
    mantissa /= 2;
  if (mantissa != 0 && exponent < 0 && exponent >= -60) {
    note.numerator = exprs.constant(mantissa);
    note.denominator = int64_t(1) << -exponent;
  }
  exprs.floats->of[it->second.id] = note;
  return it->second;
}

std::optional<double> SymbolicFloats::valueOf(DimExpr a,
                                              const DimExprs &exprs) {
  if (exprs.floats)
    if (auto note = exprs.floats->of.find(a.id); note != exprs.floats->of.end())
      return note->second.value;
  std::optional<int64_t> whole = exprs.valueOf(a);
  return whole ? std::optional(double(*whole)) : std::nullopt;
}

std::optional<DimExpr> SymbolicFloats::import(DimExpr a, const DimExprs &from,
                                              DimExprs &into) {
  if (!from.floats)
    return std::nullopt;
  auto found = from.floats->of.find(a.id);
  if (found == from.floats->of.end())
    return std::nullopt;
  SymbolicFloats floats(into, DataType::Float64);
  if (found->second.value)
    return floats.known(*found->second.value);
  DimExpr result = into.fresh();
  into.floats->of[result.id] = Note{found->second.least, found->second.most};
  return result;
}

//===----------------------------------------------------------------------===//
// Making symbols
//===----------------------------------------------------------------------===//

/// a / b, if that is a number of the type: whole numbers up to 2^p divided by a
/// power of two are; of one that is `scaled` by a power of two it is known.
std::optional<DimExpr> SymbolicFloats::fraction(DimExpr a, int64_t b,
                                                bool scaled) {
  for (DimExpr two = exprs.constant(2); b > 1; b /= 2) {
    std::optional<DimExpr> half = exprs.exactQuotient(a, two);
    if (!half)
      break;
    a = *half;
  }
  // The least positive number of f16 is 2^-24.
  int64_t mostBelow = int64_t(1) << (type == DataType::Float16 ? 24 : 60);
  double most = largest(a, exprs);
  if (b > mostBelow || most > (scaled ? finiteBelow : exactBelow))
    return std::nullopt;
  if (std::optional<int64_t> value = exprs.valueOf(a))
    return known(double(*value) / double(b));
  if (b == 1)
    return a;
  DimExpr result = exprs.opaque(Fraction, a, exprs.constant(b), {-1}, {});
  ExprRange range = exprs.rangeOf(a);
  exprs.floats->of[result.id] =
      Note{double(range.least) / double(b), double(range.most) / double(b),
           std::nullopt, a, b};
  return result;
}

/// Something of which nothing is known but that it is made in this way.
DimExpr SymbolicFloats::other(int operation, DimExpr a, DimExpr b) {
  return between(operation, a, b, -infinity, infinity);
}

/// The same, with bounds. REQUIRES: it is not -0 if the least is 0.
DimExpr SymbolicFloats::between(int operation, DimExpr a, DimExpr b,
                                double least, double most) {
  bool commutes = operation == Sum || operation == Product;
  if (commutes && b.id < a.id)
    std::swap(a, b);
  DimExpr result = exprs.opaque(operation, a, b, {int64_t(type)}, {});
  if (!(most < infinity))
    least = -infinity, most = infinity;
  exprs.floats->of.try_emplace(result.id, Note{least, most});
  return result;
}

/// A whole number, made of something that is not followed.
DimExpr SymbolicFloats::whole(int operation, DimExpr a, const View &x,
                              double (*function)(double)) {
  constexpr double most = 0x1p62;
  if (!x.isPlain() || x.most > most)
    return other(operation, a, a);
  return exprs.opaque(operation, a, a, {-1},
                      {int64_t(function(x.least)), int64_t(function(x.most))});
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

DimExpr SymbolicFloats::ofInteger(DimExpr a) {
  View x = view(a);
  if (x.value)
    return known(rounded(*x.value));
  double most = largest(a, exprs);
  if (most <= exactBelow)
    return a;
  // Beyond 2^53 the bounds are no doubles, beyond those of f16 it is infinite.
  if (most > std::min(finiteBelow, 0x1p53))
    return other(RoundedInteger, a, a);
  return exprs.opaque(RoundedInteger, a, a, {int64_t(type)},
                      {int64_t(rounded(x.least)), int64_t(rounded(x.most))});
}

DimExpr SymbolicFloats::ofFloat(DimExpr a, DataType from) {
  View x = view(a);
  if (x.value)
    return known(rounded(*x.value));
  bool isWider = type == from || type == DataType::Float64 ||
                 (type == DataType::Float32 && from != DataType::Float64);
  if (x.isExact() && isWider)
    return a;
  if (x.denominator == 1)
    return ofInteger(a);
  if (x.isExact())
    if (std::optional<DimExpr> exact =
            fraction(x.numerator, x.denominator, /*scaled=*/false))
      return *exact;
  return x.isPlain()
             ? between(FromFloat, a, a, rounded(x.least), rounded(x.most))
             : other(FromFloat, a, a);
}

std::optional<DimExpr> SymbolicFloats::toInteger(DimExpr a, DataType to) {
  View x = view(a);
  if (to == DataType::Bool) {
    if (x.value)
      return exprs.constant(*x.value != 0);
    if (x.denominator > 0)
      return exprs.logicalNot(exprs.equal(x.numerator, exprs.constant(0)));
    return x.least > 0 ? exprs.constant(1) : truth(ToTruth, a, a);
  }
  ExprRange range = ExprRange::of(to);
  if (x.value) {
    double whole = std::trunc(*x.value);
    bool fits =
        whole >= double(range.least) &&
        (bitWidth(to) == 64 ? whole < 0x1p63 : whole <= double(range.most));
    return fits ? std::optional(exprs.constant(int64_t(whole))) : std::nullopt;
  }
  if (x.denominator > 0)
    return exprs.wrap(
        x.least >= 0
            ? exprs.divideDown(x.numerator, x.denominator)
            : *exprs.divide(x.numerator, exprs.constant(x.denominator)),
        to);
  if (x.isPlain())
    return exprs.wrap(floor(a), to);
  return exprs.opaque(ToInteger, a, a, {int64_t(to)}, range);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Where products of integers are none of the polynomials any more.
static constexpr double mostWhole = 0x1p62;

std::optional<DimExpr> SymbolicFloats::exactSum(const View &x, const View &y,
                                                int sign) {
  if (!x.isExact() || !y.isExact())
    return std::nullopt;
  int64_t common = std::max(x.denominator, y.denominator);
  int64_t byX = common / x.denominator, byY = common / y.denominator;
  if (largest(x.numerator, exprs) * double(byX) +
          largest(y.numerator, exprs) * double(byY) >
      mostWhole)
    return std::nullopt;
  DimExpr a = exprs.multiply(x.numerator, exprs.constant(byX));
  DimExpr b = exprs.multiply(y.numerator, exprs.constant(sign * byY));
  return fraction(exprs.add(a, b), common, /*scaled=*/false);
}

DimExpr SymbolicFloats::add(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(rounded(*x.value + *y.value));
  if (x.isExact() && y.value == 0)
    return a;
  if (y.isExact() && x.value == 0)
    return b;
  if (std::optional<DimExpr> exact = exactSum(x, y, 1))
    return *exact;
  if (x.isPlain() && y.isPlain())
    return between(Sum, a, b, rounded(x.least + y.least),
                   rounded(x.most + y.most));
  return other(Sum, a, b);
}

DimExpr SymbolicFloats::subtract(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(rounded(*x.value - *y.value));
  if (x.isExact() && y.value == 0)
    return a;
  if (x.isExact() && a == b)
    return known(0);
  if (std::optional<DimExpr> exact = exactSum(x, y, -1))
    return *exact;
  if (x.isPlain() && y.isPlain() && x.least >= y.most)
    return between(Difference, a, b, rounded(x.least - y.most),
                   rounded(x.most - y.least));
  return other(Difference, a, b);
}

static bool isPowerOfTwo(std::optional<int64_t> value) {
  return value && (*value == -1 || llvm::isPowerOf2_64(*value));
}

std::optional<DimExpr> SymbolicFloats::exactProduct(const View &x,
                                                    const View &y) {
  // 0 * -1 is -0.
  bool mayBeMinusZero =
      (x.least < 0 || y.least < 0) && !(x.excludesZero() && y.excludesZero());
  if (!x.isExact() || !y.isExact() || mayBeMinusZero ||
      double(x.denominator) * double(y.denominator) > 0x1p60 ||
      largest(x.numerator, exprs) * largest(y.numerator, exprs) > mostWhole)
    return std::nullopt;
  bool scaled = isPowerOfTwo(exprs.valueOf(x.numerator)) ||
                isPowerOfTwo(exprs.valueOf(y.numerator));
  return fraction(exprs.multiply(x.numerator, y.numerator),
                  x.denominator * y.denominator, scaled);
}

DimExpr SymbolicFloats::multiply(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(rounded(*x.value * *y.value));
  if (std::optional<DimExpr> exact = exactProduct(x, y))
    return *exact;
  if (x.isPlain() && y.isPlain())
    return between(Product, a, b, rounded(x.least * y.least),
                   rounded(x.most * y.most));
  return other(Product, a, b);
}

/// By a positive number.
std::optional<DimExpr> SymbolicFloats::quotient(const View &x, const View &y) {
  std::optional<int64_t> by = exprs.valueOf(y.numerator);
  if (!x.isExact() || !y.isExact() || !by || *by <= 0 ||
      largest(x.numerator, exprs) * double(y.denominator) > mostWhole ||
      double(x.denominator) * double(*by) > 0x1p60)
    return std::nullopt;
  DimExpr a = exprs.multiply(x.numerator, exprs.constant(y.denominator));
  unsigned twos = llvm::countr_zero(uint64_t(*by));
  int64_t odd = *by >> twos, twosBelow = x.denominator << twos;
  if (odd == 1)
    return fraction(a, twosBelow, /*scaled=*/true);
  if (auto exact = exprs.exactQuotient(a, exprs.constant(odd)))
    if (auto result = fraction(*exact, twosBelow, /*scaled=*/false))
      return result;
  int64_t below = odd * twosBelow;
  if (x.least < 0 || largest(a, exprs) + double(below) > exactBelow)
    return std::nullopt;
  DimExpr result =
      exprs.opaque(Quotient, a, exprs.constant(below), {int64_t(type)}, {});
  ExprRange range = exprs.rangeOf(a);
  exprs.floats->of[result.id] =
      Note{rounded(double(range.least) / below),
           rounded(double(range.most) / below), std::nullopt, a, below};
  return result;
}

DimExpr SymbolicFloats::divide(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(rounded(*x.value / *y.value));
  if (y.denominator > 0)
    if (std::optional<DimExpr> followed = quotient(x, y))
      return *followed;
  if (x.isPlain() && y.isPlain() && y.least > 0)
    return between(Ratio, a, b, rounded(x.least / y.most),
                   rounded(x.most / y.least));
  return other(Ratio, a, b);
}

DimExpr SymbolicFloats::negate(DimExpr a) {
  View x = view(a);
  if (x.value)
    return known(-*x.value);
  if (x.isExact() && x.excludesZero())
    return multiply(a, known(-1));
  return other(Negative, a, a);
}

DimExpr SymbolicFloats::absolute(DimExpr a) {
  View x = view(a);
  if (x.value)
    return known(std::abs(*x.value));
  if (x.isPlain() || (x.isExact() && x.least >= 0))
    return a;
  if (x.isExact() && x.most < 0)
    return negate(a);
  return other(Magnitude, a, a);
}

DimExpr SymbolicFloats::minimum(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(ops::minimum(*x.value, *y.value));
  if (a == b || x.most < y.least)
    return a;
  if (y.most < x.least)
    return b;
  if (x.denominator == 1 && y.denominator == 1)
    return exprs.minimum(a, b);
  return x.isPlain() && y.isPlain()
             ? between(Smaller, a, b, std::min(x.least, y.least),
                       std::min(x.most, y.most))
             : other(Smaller, a, b);
}

DimExpr SymbolicFloats::maximum(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(ops::maximum(*x.value, *y.value));
  if (a == b || y.most < x.least)
    return a;
  if (x.most < y.least)
    return b;
  if (x.denominator == 1 && y.denominator == 1)
    return exprs.maximum(a, b);
  return x.isPlain() && y.isPlain()
             ? between(Larger, a, b, std::max(x.least, y.least),
                       std::max(x.most, y.most))
             : other(Larger, a, b);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

DimExpr SymbolicFloats::floor(DimExpr a) {
  View x = view(a);
  if (x.value)
    return known(std::floor(*x.value));
  if (x.denominator > 0)
    return exprs.divideDown(x.numerator, x.denominator);
  return whole(Floor, a, x, [](double v) { return std::floor(v); });
}

DimExpr SymbolicFloats::ceil(DimExpr a) {
  View x = view(a);
  if (x.value)
    return known(std::ceil(*x.value));
  if (x.denominator == 1)
    return a;
  // Between -1 and 0 it is -0.
  if (x.denominator > 0 && (x.least >= 0 || x.most <= -1))
    return exprs.divideDown(
        exprs.add(x.numerator, exprs.constant(x.denominator - 1)),
        x.denominator);
  return whole(Ceil, a, x, [](double v) { return std::ceil(v); });
}

DimExpr SymbolicFloats::round(DimExpr a) {
  View x = view(a);
  if (x.value)
    return known(std::nearbyint(*x.value));
  if (x.denominator == 1)
    return a;
  return whole(Nearest, a, x, [](double v) { return std::nearbyint(v); });
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

DimExpr SymbolicFloats::truth(int operation, DimExpr a, DimExpr b) {
  return exprs.opaque(operation, a, b, {-1}, ExprRange::truth());
}

/// Two integers that compare as the two numbers do.
std::optional<std::pair<DimExpr, DimExpr>>
SymbolicFloats::crosswise(const View &x, const View &y) {
  if (!x.isExact() || !y.isExact() ||
      largest(x.numerator, exprs) * double(y.denominator) > mostWhole ||
      largest(y.numerator, exprs) * double(x.denominator) > mostWhole)
    return std::nullopt;
  return std::pair(exprs.multiply(x.numerator, exprs.constant(y.denominator)),
                   exprs.multiply(y.numerator, exprs.constant(x.denominator)));
}

DimExpr SymbolicFloats::equal(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return exprs.constant(*x.value == *y.value);
  if (auto integers = crosswise(x, y))
    return exprs.equal(integers->first, integers->second);
  if (x.most < y.least || y.most < x.least)
    return exprs.constant(0);
  if (a == b && x.isNumber())
    return exprs.constant(1);
  return a.id < b.id ? truth(IsEqual, a, b) : truth(IsEqual, b, a);
}

DimExpr SymbolicFloats::less(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return exprs.constant(*x.value < *y.value);
  if (auto integers = crosswise(x, y))
    return exprs.less(integers->first, integers->second);
  if (x.most < y.least)
    return exprs.constant(1);
  if (x.least >= y.most || a == b)
    return exprs.constant(0);
  return truth(IsLess, a, b);
}

DimExpr SymbolicFloats::lessOrEqual(DimExpr a, DimExpr b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return exprs.constant(*x.value <= *y.value);
  if (auto integers = crosswise(x, y))
    return exprs.logicalNot(exprs.less(integers->second, integers->first));
  bool areNumbers = x.isNumber() && y.isNumber();
  if (areNumbers && (a == b || x.most <= y.least))
    return exprs.constant(1);
  if (x.least > y.most)
    return exprs.constant(0);
  return truth(IsLessOrEqual, a, b);
}

DimExpr SymbolicFloats::select(DimExpr condition, DimExpr a, DimExpr b) {
  if (a == b)
    return a;
  if (std::optional<int64_t> value = exprs.valueOf(condition))
    return *value ? a : b;
  View x = view(a), y = view(b);
  if (x.denominator == 1 && y.denominator == 1)
    return exprs.select(condition, a, b);
  DimExpr result = exprs.opaque(Choice, condition, a, b, {});
  Note note;
  if (x.isPlain() && y.isPlain())
    note = {std::min(x.least, y.least), std::max(x.most, y.most)};
  exprs.floats->of.try_emplace(result.id, note);
  return result;
}
