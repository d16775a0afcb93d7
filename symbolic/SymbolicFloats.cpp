//===- SymbolicFloats.cpp - Floats that are only partly known -------------===//

#include "onnxfold/symbolic/SymbolicFloats.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/widenum/Convert.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace onnxfold;

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
  SymbolHandle numerator = {-1};
  int64_t denominator = 0;
};

} // namespace

struct Symbols::FloatNotes {
  llvm::DenseMap<int64_t, Note> of;         // by handle
  std::map<uint64_t, SymbolHandle> numbers; // by bits
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

SymbolicFloats::SymbolicFloats(Symbols &symbols, DataType type)
    : symbols(symbols), type(type) {
  bool isHalf = type == DataType::Float16;
  unsigned bits = type == DataType::Float64   ? 53
                  : type == DataType::Float32 ? 24
                  : isHalf                    ? 11
                                              : 8;
  exactBelow = std::ldexp(1.0, bits);
  finiteBelow = isHalf ? 0x1p15 : 0x1p62;
  if (!symbols.floats)
    symbols.floats = std::make_shared<Symbols::FloatNotes>();
}

double SymbolicFloats::rounded(double value) const {
  uint64_t bits = 0;
  convertBlockFromDouble(type, &bits, &value, 1);
  double result;
  convertBlockToDouble(type, &bits, &result, 1);
  return result;
}

SymbolicFloats::View SymbolicFloats::view(SymbolHandle a) const {
  auto note = symbols.floats->of.find(a.id);
  if (note != symbols.floats->of.end())
    return {note->second};
  SymbolRange range = symbols.rangeOf(a);
  View whole;
  whole.least = double(range.least);
  whole.most = double(range.most);
  if (std::optional<int64_t> value = symbols.valueOf(a))
    whole.value = double(*value);
  whole.numerator = a;
  whole.denominator = 1;
  return whole;
}

/// The largest magnitude that an integer may have.
static double largest(SymbolHandle a, const Symbols &symbols) {
  SymbolRange range = symbols.rangeOf(a);
  return std::max(std::abs(double(range.least)), std::abs(double(range.most)));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

SymbolHandle SymbolicFloats::known(double value) {
  constexpr double most = 0x1p62;
  bool isWhole = std::abs(value) < most && value == std::floor(value);
  if (isWhole && !(value == 0 && std::signbit(value)))
    return symbols.constant(int64_t(value));
  auto [it, isNew] =
      symbols.floats->numbers.try_emplace(llvm::bit_cast<uint64_t>(value));
  if (!isNew)
    return it->second;
  it->second = symbols.fresh();
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
    note.numerator = symbols.constant(mantissa);
    note.denominator = int64_t(1) << -exponent;
  }
  symbols.floats->of[it->second.id] = note;
  return it->second;
}

std::optional<double> SymbolicFloats::valueOf(SymbolHandle a,
                                              const Symbols &symbols) {
  if (symbols.floats)
    if (auto note = symbols.floats->of.find(a.id);
        note != symbols.floats->of.end())
      return note->second.value;
  std::optional<int64_t> whole = symbols.valueOf(a);
  return whole ? std::optional(double(*whole)) : std::nullopt;
}

std::optional<SymbolHandle>
SymbolicFloats::import(SymbolHandle a, const Symbols &from, Symbols &into) {
  if (!from.floats)
    return std::nullopt;
  auto found = from.floats->of.find(a.id);
  if (found == from.floats->of.end())
    return std::nullopt;
  SymbolicFloats floats(into, DataType::Float64);
  if (found->second.value)
    return floats.known(*found->second.value);
  SymbolHandle result = into.fresh();
  into.floats->of[result.id] = Note{found->second.least, found->second.most};
  return result;
}

//===----------------------------------------------------------------------===//
// Making symbols
//===----------------------------------------------------------------------===//

/// a / b, if that is a number of the type: whole numbers up to 2^p divided by a
/// power of two are; of one that is `scaled` by a power of two it is known.
std::optional<SymbolHandle> SymbolicFloats::fraction(SymbolHandle a, int64_t b,
                                                     bool scaled) {
  for (SymbolHandle two = symbols.constant(2); b > 1; b /= 2) {
    std::optional<SymbolHandle> half = symbols.exactQuotient(a, two);
    if (!half)
      break;
    a = *half;
  }
  // The least positive number of f16 is 2^-24.
  int64_t mostBelow = int64_t(1) << (type == DataType::Float16 ? 24 : 60);
  double most = largest(a, symbols);
  if (b > mostBelow || most > (scaled ? finiteBelow : exactBelow))
    return std::nullopt;
  if (std::optional<int64_t> value = symbols.valueOf(a))
    return known(double(*value) / double(b));
  if (b == 1)
    return a;
  SymbolHandle result =
      symbols.opaque(Fraction, a, symbols.constant(b), {-1}, {});
  SymbolRange range = symbols.rangeOf(a);
  symbols.floats->of[result.id] =
      Note{double(range.least) / double(b), double(range.most) / double(b),
           std::nullopt, a, b};
  return result;
}

/// Something of which nothing is known but that it is made in this way.
SymbolHandle SymbolicFloats::other(int operation, SymbolHandle a,
                                   SymbolHandle b) {
  return between(operation, a, b, -infinity, infinity);
}

/// The same, with bounds. REQUIRES: it is not -0 if the least is 0.
SymbolHandle SymbolicFloats::between(int operation, SymbolHandle a,
                                     SymbolHandle b, double least,
                                     double most) {
  bool commutes = operation == Sum || operation == Product;
  if (commutes && b.id < a.id)
    std::swap(a, b);
  SymbolHandle result = symbols.opaque(operation, a, b, {int64_t(type)}, {});
  if (!(most < infinity))
    least = -infinity, most = infinity;
  symbols.floats->of.try_emplace(result.id, Note{least, most});
  return result;
}

/// A whole number, made of something that is not followed.
SymbolHandle SymbolicFloats::whole(int operation, SymbolHandle a, const View &x,
                                   double (*function)(double)) {
  constexpr double most = 0x1p62;
  if (!x.isPlain() || x.most > most)
    return other(operation, a, a);
  return symbols.opaque(
      operation, a, a, {-1},
      {int64_t(function(x.least)), int64_t(function(x.most))});
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

SymbolHandle SymbolicFloats::ofInteger(SymbolHandle a) {
  View x = view(a);
  if (x.value)
    return known(rounded(*x.value));
  double most = largest(a, symbols);
  if (most <= exactBelow)
    return a;
  // Beyond 2^53 the bounds are no doubles, beyond those of f16 it is infinite.
  if (most > std::min(finiteBelow, 0x1p53))
    return other(RoundedInteger, a, a);
  return symbols.opaque(RoundedInteger, a, a, {int64_t(type)},
                        {int64_t(rounded(x.least)), int64_t(rounded(x.most))});
}

SymbolHandle SymbolicFloats::ofFloat(SymbolHandle a, DataType from) {
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
    if (std::optional<SymbolHandle> exact =
            fraction(x.numerator, x.denominator, /*scaled=*/false))
      return *exact;
  return x.isPlain()
             ? between(FromFloat, a, a, rounded(x.least), rounded(x.most))
             : other(FromFloat, a, a);
}

std::optional<SymbolHandle> SymbolicFloats::toInteger(SymbolHandle a,
                                                      DataType to) {
  View x = view(a);
  if (to == DataType::Bool) {
    if (x.value)
      return symbols.constant(*x.value != 0);
    if (x.denominator > 0)
      return symbols.logicalNot(
          symbols.equal(x.numerator, symbols.constant(0)));
    return x.least > 0 ? symbols.constant(1) : truth(ToTruth, a, a);
  }
  SymbolRange range = SymbolRange::of(to);
  if (x.value) {
    double whole = std::trunc(*x.value);
    bool fits =
        whole >= double(range.least) &&
        (bitWidth(to) == 64 ? whole < 0x1p63 : whole <= double(range.most));
    return fits ? std::optional(symbols.constant(int64_t(whole)))
                : std::nullopt;
  }
  if (x.denominator > 0)
    return symbols.wrap(
        x.least >= 0
            ? symbols.divideDown(x.numerator, x.denominator)
            : *symbols.divide(x.numerator, symbols.constant(x.denominator)),
        to);
  if (x.isPlain())
    return symbols.wrap(floor(a), to);
  return symbols.opaque(ToInteger, a, a, {int64_t(to)}, range);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Where products of integers are none of the polynomials any more.
static constexpr double mostWhole = 0x1p62;

std::optional<SymbolHandle> SymbolicFloats::exactSum(const View &x,
                                                     const View &y, int sign) {
  if (!x.isExact() || !y.isExact())
    return std::nullopt;
  int64_t common = std::max(x.denominator, y.denominator);
  int64_t byX = common / x.denominator, byY = common / y.denominator;
  if (largest(x.numerator, symbols) * double(byX) +
          largest(y.numerator, symbols) * double(byY) >
      mostWhole)
    return std::nullopt;
  SymbolHandle a = symbols.multiply(x.numerator, symbols.constant(byX));
  SymbolHandle b = symbols.multiply(y.numerator, symbols.constant(sign * byY));
  return fraction(symbols.add(a, b), common, /*scaled=*/false);
}

SymbolHandle SymbolicFloats::add(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(rounded(*x.value + *y.value));
  if (x.isExact() && y.value == 0)
    return a;
  if (y.isExact() && x.value == 0)
    return b;
  if (std::optional<SymbolHandle> exact = exactSum(x, y, 1))
    return *exact;
  if (x.isPlain() && y.isPlain())
    return between(Sum, a, b, rounded(x.least + y.least),
                   rounded(x.most + y.most));
  return other(Sum, a, b);
}

SymbolHandle SymbolicFloats::subtract(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(rounded(*x.value - *y.value));
  if (x.isExact() && y.value == 0)
    return a;
  if (x.isExact() && a == b)
    return known(0);
  if (std::optional<SymbolHandle> exact = exactSum(x, y, -1))
    return *exact;
  if (x.isPlain() && y.isPlain() && x.least >= y.most)
    return between(Difference, a, b, rounded(x.least - y.most),
                   rounded(x.most - y.least));
  return other(Difference, a, b);
}

static bool isPowerOfTwo(std::optional<int64_t> value) {
  return value && (*value == -1 || llvm::isPowerOf2_64(*value));
}

std::optional<SymbolHandle> SymbolicFloats::exactProduct(const View &x,
                                                         const View &y) {
  // 0 * -1 is -0.
  bool mayBeMinusZero =
      (x.least < 0 || y.least < 0) && !(x.excludesZero() && y.excludesZero());
  if (!x.isExact() || !y.isExact() || mayBeMinusZero ||
      double(x.denominator) * double(y.denominator) > 0x1p60 ||
      largest(x.numerator, symbols) * largest(y.numerator, symbols) > mostWhole)
    return std::nullopt;
  bool scaled = isPowerOfTwo(symbols.valueOf(x.numerator)) ||
                isPowerOfTwo(symbols.valueOf(y.numerator));
  return fraction(symbols.multiply(x.numerator, y.numerator),
                  x.denominator * y.denominator, scaled);
}

SymbolHandle SymbolicFloats::multiply(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(rounded(*x.value * *y.value));
  if (std::optional<SymbolHandle> exact = exactProduct(x, y))
    return *exact;
  if (x.isPlain() && y.isPlain())
    return between(Product, a, b, rounded(x.least * y.least),
                   rounded(x.most * y.most));
  return other(Product, a, b);
}

/// By a positive number.
std::optional<SymbolHandle> SymbolicFloats::quotient(const View &x,
                                                     const View &y) {
  std::optional<int64_t> by = symbols.valueOf(y.numerator);
  if (!x.isExact() || !y.isExact() || !by || *by <= 0 ||
      largest(x.numerator, symbols) * double(y.denominator) > mostWhole ||
      double(x.denominator) * double(*by) > 0x1p60)
    return std::nullopt;
  SymbolHandle a =
      symbols.multiply(x.numerator, symbols.constant(y.denominator));
  unsigned twos = llvm::countr_zero(uint64_t(*by));
  int64_t odd = *by >> twos, twosBelow = x.denominator << twos;
  if (odd == 1)
    return fraction(a, twosBelow, /*scaled=*/true);
  if (auto exact = symbols.exactQuotient(a, symbols.constant(odd)))
    if (auto result = fraction(*exact, twosBelow, /*scaled=*/false))
      return result;
  int64_t below = odd * twosBelow;
  if (x.least < 0 || largest(a, symbols) + double(below) > exactBelow)
    return std::nullopt;
  SymbolHandle result =
      symbols.opaque(Quotient, a, symbols.constant(below), {int64_t(type)}, {});
  SymbolRange range = symbols.rangeOf(a);
  symbols.floats->of[result.id] =
      Note{rounded(double(range.least) / below),
           rounded(double(range.most) / below), std::nullopt, a, below};
  return result;
}

SymbolHandle SymbolicFloats::divide(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(rounded(*x.value / *y.value));
  if (y.denominator > 0)
    if (std::optional<SymbolHandle> followed = quotient(x, y))
      return *followed;
  if (x.isPlain() && y.isPlain() && y.least > 0)
    return between(Ratio, a, b, rounded(x.least / y.most),
                   rounded(x.most / y.least));
  return other(Ratio, a, b);
}

SymbolHandle SymbolicFloats::negate(SymbolHandle a) {
  View x = view(a);
  if (x.value)
    return known(-*x.value);
  if (x.isExact() && x.excludesZero())
    return multiply(a, known(-1));
  return other(Negative, a, a);
}

SymbolHandle SymbolicFloats::absolute(SymbolHandle a) {
  View x = view(a);
  if (x.value)
    return known(std::abs(*x.value));
  if (x.isPlain() || (x.isExact() && x.least >= 0))
    return a;
  if (x.isExact() && x.most < 0)
    return negate(a);
  return other(Magnitude, a, a);
}

SymbolHandle SymbolicFloats::minimum(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(onnxfold::minimum(*x.value, *y.value));
  if (a == b || x.most < y.least)
    return a;
  if (y.most < x.least)
    return b;
  if (x.denominator == 1 && y.denominator == 1)
    return symbols.minimum(a, b);
  return x.isPlain() && y.isPlain()
             ? between(Smaller, a, b, std::min(x.least, y.least),
                       std::min(x.most, y.most))
             : other(Smaller, a, b);
}

SymbolHandle SymbolicFloats::maximum(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return known(onnxfold::maximum(*x.value, *y.value));
  if (a == b || y.most < x.least)
    return a;
  if (x.most < y.least)
    return b;
  if (x.denominator == 1 && y.denominator == 1)
    return symbols.maximum(a, b);
  return x.isPlain() && y.isPlain()
             ? between(Larger, a, b, std::max(x.least, y.least),
                       std::max(x.most, y.most))
             : other(Larger, a, b);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

SymbolHandle SymbolicFloats::floor(SymbolHandle a) {
  View x = view(a);
  if (x.value)
    return known(std::floor(*x.value));
  if (x.denominator > 0)
    return symbols.divideDown(x.numerator, x.denominator);
  return whole(Floor, a, x, [](double v) { return std::floor(v); });
}

SymbolHandle SymbolicFloats::ceil(SymbolHandle a) {
  View x = view(a);
  if (x.value)
    return known(std::ceil(*x.value));
  if (x.denominator == 1)
    return a;
  // Between -1 and 0 it is -0.
  if (x.denominator > 0 && (x.least >= 0 || x.most <= -1))
    return symbols.divideDown(
        symbols.add(x.numerator, symbols.constant(x.denominator - 1)),
        x.denominator);
  return whole(Ceil, a, x, [](double v) { return std::ceil(v); });
}

SymbolHandle SymbolicFloats::round(SymbolHandle a) {
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

SymbolHandle SymbolicFloats::truth(int operation, SymbolHandle a,
                                   SymbolHandle b) {
  return symbols.opaque(operation, a, b, {-1}, SymbolRange::truth());
}

/// Two integers that compare as the two numbers do.
std::optional<std::pair<SymbolHandle, SymbolHandle>>
SymbolicFloats::crosswise(const View &x, const View &y) {
  if (!x.isExact() || !y.isExact() ||
      largest(x.numerator, symbols) * double(y.denominator) > mostWhole ||
      largest(y.numerator, symbols) * double(x.denominator) > mostWhole)
    return std::nullopt;
  return std::pair(
      symbols.multiply(x.numerator, symbols.constant(y.denominator)),
      symbols.multiply(y.numerator, symbols.constant(x.denominator)));
}

SymbolHandle SymbolicFloats::equal(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return symbols.constant(*x.value == *y.value);
  if (auto integers = crosswise(x, y))
    return symbols.equal(integers->first, integers->second);
  if (x.most < y.least || y.most < x.least)
    return symbols.constant(0);
  if (a == b && x.isNumber())
    return symbols.constant(1);
  return a.id < b.id ? truth(IsEqual, a, b) : truth(IsEqual, b, a);
}

SymbolHandle SymbolicFloats::less(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return symbols.constant(*x.value < *y.value);
  if (auto integers = crosswise(x, y))
    return symbols.less(integers->first, integers->second);
  if (x.most < y.least)
    return symbols.constant(1);
  if (x.least >= y.most || a == b)
    return symbols.constant(0);
  return truth(IsLess, a, b);
}

SymbolHandle SymbolicFloats::lessOrEqual(SymbolHandle a, SymbolHandle b) {
  View x = view(a), y = view(b);
  if (x.value && y.value)
    return symbols.constant(*x.value <= *y.value);
  if (auto integers = crosswise(x, y))
    return symbols.logicalNot(symbols.less(integers->second, integers->first));
  bool areNumbers = x.isNumber() && y.isNumber();
  if (areNumbers && (a == b || x.most <= y.least))
    return symbols.constant(1);
  if (x.least > y.most)
    return symbols.constant(0);
  return truth(IsLessOrEqual, a, b);
}

SymbolHandle SymbolicFloats::select(SymbolHandle condition, SymbolHandle a,
                                    SymbolHandle b) {
  if (a == b)
    return a;
  if (std::optional<int64_t> value = symbols.valueOf(condition))
    return *value ? a : b;
  View x = view(a), y = view(b);
  if (x.denominator == 1 && y.denominator == 1)
    return symbols.select(condition, a, b);
  SymbolHandle result = symbols.opaque(Choice, condition, a, b, {});
  Note note;
  if (x.isPlain() && y.isPlain())
    note = {std::min(x.least, y.least), std::max(x.most, y.most)};
  symbols.floats->of.try_emplace(result.id, note);
  return result;
}
