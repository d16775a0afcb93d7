//===- RandomElementwise.cpp - Elementwise functions, one by one ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::APFloat;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
enum class Binary { Add, Subtract, Multiply, Divide, Minimum, Maximum };
constexpr const char *binaryNames[] = {"add",    "subtract", "multiply",
                                       "divide", "minimum",  "maximum"};
} // namespace

static bool isExtremum(Binary op) {
  return op == Binary::Minimum || op == Binary::Maximum;
}

/// One rounding to the type; integers wrap. (Integers are not divided.)
static Cell naiveBinary(DataType type, Binary op, const Cell &a,
                        const Cell &b) {
  if (isExtremum(op)) {
    int order = compareCells(type, a, b);
    if (order == 2)
      return isNaN(type, a) ? a : b;
    return (order < 0) == (op == Binary::Minimum) ? a : b;
  }
  if (!isFloat(type)) {
    Integer x = integerOf(type, a), y = integerOf(type, b);
    // The product of two u64 needs 128 bits without a sign.
    auto product = (unsigned __int128)x * (unsigned __int128)y;
    return integerCell(type, op == Binary::Add        ? x + y
                             : op == Binary::Subtract ? x - y
                                                      : Integer(product));
  }
  APFloat x = floatOf(type, a), y = floatOf(type, b);
  switch (op) {
  case Binary::Add:
    x.add(y, nearestEven);
    break;
  case Binary::Subtract:
    x.subtract(y, nearestEven);
    break;
  case Binary::Multiply:
    x.multiply(y, nearestEven);
    break;
  default:
    x.divide(y, nearestEven);
  }
  return floatCell(type, x);
}

static Elements libraryBinary(Binary op, const Elements &x, const Elements &y) {
  auto apply = [&](auto f) { return zip(x, y, f); };
  switch (op) {
  case Binary::Add:
    return apply([](auto a, auto b) { return add(a, b); });
  case Binary::Subtract:
    return apply([](auto a, auto b) { return subtract(a, b); });
  case Binary::Multiply:
    return apply([](auto a, auto b) { return multiply(a, b); });
  case Binary::Minimum:
    return apply([](auto a, auto b) { return minimum(a, b); });
  case Binary::Maximum:
    return apply([](auto a, auto b) { return maximum(a, b); });
  case Binary::Divide:
    break;
  }
  return apply([](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
      return a / b;
    else
      return a;
  });
}

/// The element of x that an index of the broadcast result shows.
static const Cell &broadcastAt(const AnyTensor &x, ShapeRef index) {
  Shape source(index.take_back(x.rank()));
  for (int64_t d = 0; d < x.rank(); ++d)
    if (x.shape[d] == 1)
      source[d] = 0;
  return x.at(source);
}

/// numpy's rule, one dimension after the other.
static Shape commonShape(ShapeRef a, ShapeRef b) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t d = 1; d <= result.size(); ++d) {
    int64_t m = d <= a.size() ? a[a.size() - d] : 1;
    int64_t n = d <= b.size() ? b[b.size() - d] : 1;
    result[result.size() - d] = m == 1 ? n : m;
  }
  return result;
}

static bool zipOf(Case &c) {
  Pair x = c.operand(anyType);
  DataType type = x.naive.type;
  Pair y = c.broadcastPartner(x, type);
  if (c.chance(50))
    std::swap(x, y);
  auto op = Binary(c.random.integer(0, isFullFloat(type) ? 5 : 2));
  std::string what = binaryNames[int(op)];
  Elements actual = libraryBinary(op, x.actual, y.actual);
  if (!isArithmetic(type)) {
    c.expectNull(what, actual);
    return true;
  }
  auto expected = AnyTensor::make(
      type, commonShape(x.naive.shape, y.naive.shape), [&](ShapeRef i) {
        return naiveBinary(type, op, broadcastAt(x.naive, i),
                           broadcastAt(y.naive, i));
      });
  if (isExtremum(op) && isFloat(type))
    c.addAnyZero(what, actual, expected);
  else
    c.add(what, actual, expected);
  return true;
}

static bool integerExtremum(Case &c) {
  Pair x = c.operand(isFullInteger);
  DataType type = x.naive.type;
  Pair y = c.broadcastPartner(x, type);
  Binary op = c.chance(50) ? Binary::Minimum : Binary::Maximum;
  c.add(binaryNames[int(op)], libraryBinary(op, x.actual, y.actual),
        AnyTensor::make(type, commonShape(x.naive.shape, y.naive.shape),
                        [&](ShapeRef i) {
                          return naiveBinary(type, op, broadcastAt(x.naive, i),
                                             broadcastAt(y.naive, i));
                        }));
  return true;
}

static AnyTensor naiveMap(const AnyTensor &x, DataType type,
                          const std::function<Cell(const Cell &)> &f) {
  AnyTensor result{type, x.shape, {}};
  for (const Cell &cell : x.cells)
    result.cells.push_back(f(cell));
  return result;
}

static bool mapOf(Case &c) {
  Pair x = c.operand(anyType);
  DataType type = x.naive.type;
  static constexpr const char *names[] = {"negate", "absolute", "square"};
  int64_t op = c.random.integer(0, 2);
  Elements actual = op == 0 ? map(x.actual, [](auto v) { return negate(v); })
                    : op == 1
                        ? map(x.actual, [](auto v) { return absolute(v); })
                        : map(x.actual, [](auto v) { return multiply(v, v); });
  if (!isArithmetic(type)) {
    c.expectNull(names[op], actual);
    return true;
  }
  c.add(names[op], actual, naiveMap(x.naive, type, [&](const Cell &v) {
          if (op == 2)
            return naiveBinary(type, Binary::Multiply, v, v);
          if (isFloat(type)) {
            APFloat value = floatOf(type, v);
            if (op == 0 || value.isNegative())
              value.changeSign();
            return floatCell(type, value);
          }
          Integer value = integerOf(type, v);
          return integerCell(type, op == 0 || value < 0 ? -value : value);
        }));
  return true;
}

/// The upper bound wins where bounds cross; NaN anywhere gives NaN.
static bool clipOf(Case &c) {
  Pair x = c.operand(anyType);
  DataType type = x.naive.type;
  Pair lower, upper;
  if (c.chance(70))
    lower = c.fresh(type, Shape(c.random.integer(0, 1), 1));
  if (c.chance(70))
    upper = c.fresh(type, Shape(c.random.integer(0, 1), 1));
  Elements actual = clip(x.actual, lower.actual, upper.actual);
  if (!isArithmetic(type)) {
    c.expectNull("clip", actual);
    return true;
  }
  c.addAnyZero(
      "clip", actual, naiveMap(x.naive, type, [&](Cell v) {
        if (lower.actual)
          v = naiveBinary(type, Binary::Maximum, v, lower.naive.cells[0]);
        if (upper.actual)
          v = naiveBinary(type, Binary::Minimum, v, upper.naive.cells[0]);
        return v;
      }));
  return true;
}

static bool reciprocalOf(Case &c) {
  Pair x = c.operand(anyType);
  DataType type = x.naive.type;
  Elements actual = mapFloat(x.actual, [](auto v) { return 1 / v; });
  if (!isFullFloat(type)) {
    c.expectNull("reciprocal", actual);
    return true;
  }
  Cell one = wideCell(type, 1);
  c.add("reciprocal", actual, naiveMap(x.naive, type, [&](const Cell &v) {
          return naiveBinary(type, Binary::Divide, one, v);
        }));
  return true;
}

//===----------------------------------------------------------------------===//
// Comparisons, choices, conversions
//===----------------------------------------------------------------------===//

static bool compareOf(Case &c) {
  Pair x = c.operand(isArithmetic);
  DataType type = x.naive.type;
  Pair y = c.broadcastPartner(x, type);
  int64_t op = c.random.integer(0, 2);
  Elements actual = op == 0 ? zipTo<bool>(x.actual, y.actual,
                                          [](auto a, auto b) { return a < b; })
                    : op == 1
                        ? zipTo<bool>(x.actual, y.actual,
                                      [](auto a, auto b) { return a == b; })
                        : zipTo<bool>(x.actual, y.actual,
                                      [](auto a, auto b) { return a >= b; });
  static constexpr const char *names[] = {"less", "equal", "greater or equal"};
  c.add(
      names[op], actual,
      AnyTensor::make(DataType::Bool, commonShape(x.naive.shape, y.naive.shape),
                      [&](ShapeRef i) {
                        int order = compareCells(type, broadcastAt(x.naive, i),
                                                 broadcastAt(y.naive, i));
                        return cellOf(op == 0   ? order == -1
                                      : op == 1 ? order == 0
                                                : order == 0 || order == 1);
                      }));
  return true;
}

static bool selectOf(Case &c) {
  Pair x = c.operand(anyType);
  Pair y = c.broadcastPartner(x, x.naive.type);
  Shape shape = commonShape(x.naive.shape, y.naive.shape);
  Pair full = c.fresh(DataType::Bool, shape);
  Pair condition = c.chance(50) ? full : c.broadcastPartner(x, DataType::Bool);
  std::optional<Shape> common = broadcastShapes(condition.naive.shape, shape);
  if (!common || !c.fits(*common))
    return false;
  c.add("select", select(condition.actual, x.actual, y.actual),
        AnyTensor::make(x.naive.type, commonShape(condition.naive.shape, shape),
                        [&](ShapeRef i) {
                          bool first =
                              valueOf<bool>(broadcastAt(condition.naive, i));
                          return broadcastAt(first ? x.naive : y.naive, i);
                        }));
  return true;
}

static bool castOf(Case &c) {
  Pair x = c.operand(anyType);
  DataType from = x.naive.type, to = c.type(anyType);
  if (isComplex(from) != isComplex(to))
    to = isComplex(from) ? c.type(isComplex) : c.type(isNumberOrBool);
  if (from == DataType::String || from == DataType::Opaque)
    to = from;
  if (!isConvertible(to, from))
    return false;
  CastOptions options;
  options.saturate = c.chance(50);
  options.roundMode = CastOptions::RoundMode(c.random.integer(0, 2));
  if (isFloat(to) && isSubByte(to))
    for (const Cell &cell : x.naive.cells)
      if (isNaN(from, cell)) // its sign, which the naive side does not know
        return false;        // if it was computed, would count
  c.add("cast to " + name(to).str(), cast(x.actual, to, options),
        naiveMap(x.naive, to, [&](const Cell &v) {
          return castCell(to, from, v, options);
        }));
  return true;
}

/// Whether the whole part of a number is one of `type`.
static bool isConvertibleCell(DataType type, DataType from, const Cell &cell) {
  if (!isInteger(type))
    return true;
  Integer low = isSigned(type) ? -(Integer(1) << (bitWidth(type) - 1)) : 0;
  Integer high = (Integer(1) << (bitWidth(type) - isSigned(type))) - 1;
  if (!isFloat(from)) {
    Integer value = integerOf(from, cell);
    return value >= low && value <= high;
  }
  long double value = std::trunc(wideOf(from, cell));
  return value >= (long double)low && value <= (long double)high;
}

static bool checksOf(Case &c) {
  Pair x = c.operand(isNumberOrBool);
  DataType type = c.type(isNumberOrBool), from = x.naive.type;
  std::optional<int64_t> expected;
  for (int64_t i = x.naive.size(); i-- > 0;)
    if (!isConvertibleCell(type, from, x.naive.cells[i]))
      expected = i;
  c.expectSame("firstNotConvertible to " + name(type).str(),
               firstNotConvertible(x.actual, type), expected);
  Pair y = c.operand([](DataType type) { return type == DataType::Int32; });
  int32_t wanted =
      y.naive.size() == 0
          ? 0
          : valueOf<int32_t>(
                y.naive.cells[c.random.integer(0, y.naive.size() - 1)]);
  expected = std::nullopt;
  for (int64_t i = y.naive.size(); i-- > 0;)
    if (valueOf<int32_t>(y.naive.cells[i]) == wanted)
      expected = i;
  c.expectSame(
      "firstWhere",
      firstWhere<int32_t>(y.actual, [=](int32_t v) { return v == wanted; }),
      expected);
  return true;
}

/// Functions of one named type, and of the user's blocks.
static bool typedOf(Case &c) {
  Pair x = c.operand([](DataType type) { return type == DataType::Int4; });
  Pair y = c.broadcastPartner(x, DataType::UInt8);
  c.add("i4 + u8 as i16",
        zipAs<int16_t, Int4, uint8_t>(
            x.actual, y.actual,
            [](int8_t a, uint8_t b) { return int16_t(a + b); }),
        AnyTensor::make(
            DataType::Int16, commonShape(x.naive.shape, y.naive.shape),
            [&](ShapeRef i) {
              return integerCell(
                  DataType::Int16,
                  integerOf(DataType::Int4, broadcastAt(x.naive, i)) +
                      integerOf(DataType::UInt8, broadcastAt(y.naive, i)));
            }));
  Pair z = c.operand([](DataType t) { return t != DataType::String; });
  unsigned width = byteWidth(z.naive.type);
  c.add("last byte",
        mapBlocks(z.actual, DataType::UInt8,
                  [width](const void *in, void *out, size_t count) {
                    auto *from = static_cast<const char *>(in);
                    for (size_t i = 0; i < count; ++i)
                      static_cast<char *>(out)[i] = from[(i + 1) * width - 1];
                  }),
        naiveMap(z.naive, DataType::UInt8,
                 [&](const Cell &v) { return cellOf(v.bytes[width - 1]); }));
  return true;
}

//===----------------------------------------------------------------------===//
// Transcendental functions
//===----------------------------------------------------------------------===//

namespace {
struct Function {
  const char *name;
  WideFunction library;
  long double (*naive)(long double);
  double ulps; // of double; twice as many where a double is subnormal
};
} // namespace

static long double naiveSigmoid(long double x) { return 1 / (1 + expl(-x)); }
static long double naiveSoftplus(long double x) {
  return x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x));
}

static constexpr Function functions[] = {
    {"exp", wide::exp, expl, 1},
    {"expm1", wide::expm1, expm1l, 1},
    {"log", wide::log, logl, 1},
    {"log1p", wide::log1p, log1pl, 1},
    {"erf", wide::erf, erfl, 1.5},
    {"erfc", wide::erfc, erfcl, 1.5},
    {"sin", wide::sin, sinl, 1},
    {"cos", wide::cos, cosl, 1},
    {"tan", wide::tan, tanl, 1},
    {"asin", wide::asin, asinl, 1},
    {"acos", wide::acos, acosl, 1},
    {"atan", wide::atan, atanl, 1},
    {"sinh", wide::sinh, sinhl, 1},
    {"cosh", wide::cosh, coshl, 1},
    {"tanh", wide::tanh, tanhl, 1.5},
    {"asinh", wide::asinh, asinhl, 1},
    {"acosh", wide::acosh, acoshl, 1},
    {"atanh", wide::atanh, atanhl, 1},
    {"sigmoid", wide::sigmoid, naiveSigmoid, 2.5},
    {"softplus", wide::softplus, naiveSoftplus, 2},
};

/// A double within `ulps` of the exact value, which then is rounded.
static Bound boundOf(long double exact, double ulps) {
  if (!std::isfinite(exact) || exact == 0)
    return {exact, 0};
  int exponent = std::ilogb(exact);
  if (exponent < -1021)
    ulps *= 2;
  // long double has an error of its own.
  return {exact, std::ldexp(ulps + 0x1p-8L, std::max(exponent, -1022) - 52)};
}

static bool functionOf(Case &c) {
  Pair x = c.operand(anyType);
  const Function &f = functions[c.random.integer(0, std::size(functions) - 1)];
  Elements actual = mapWide(x.actual, f.library);
  if (!isFullFloat(x.naive.type)) {
    c.expectNull(f.name, actual);
    return true;
  }
  std::vector<Bound> bounds;
  for (const Cell &cell : x.naive.cells)
    bounds.push_back(boundOf(f.naive(wideOf(x.naive.type, cell)), f.ulps));
  c.addWithin(f.name, actual, x.naive.type, x.naive.shape, bounds);
  return true;
}

static bool powOf(Case &c) {
  Pair x = c.operand(isFullFloat);
  Pair y = c.broadcastPartner(
      x, c.chance(50) ? x.naive.type : c.type([](DataType type) {
        return isNumeric(type) && type != DataType::Float8E8M0;
      }));
  std::vector<Bound> bounds;
  Shape shape = commonShape(x.naive.shape, y.naive.shape);
  forEachIndex(shape, [&](ShapeRef i) {
    long double base = wideOf(x.naive.type, broadcastAt(x.naive, i));
    // Exponents are rounded to double.
    auto exponent = double(wideOf(y.naive.type, broadcastAt(y.naive, i)));
    // glibc's powl makes infinity of (-inf) ^ -(2 ^ 63).
    long double exact = std::isinf(base) ? std::pow(double(base), exponent)
                                         : powl(base, exponent);
    bounds.push_back(boundOf(exact, 1));
  });
  c.addWithin("pow", zipWide(x.actual, y.actual, wide::pow), x.naive.type,
              shape, bounds);
  return true;
}

void onnxfold::addElementwiseOperations(OperationList &list) {
  list.insert(list.end(), {{"zip", zipOf},
                           {"integer minimum and maximum", integerExtremum},
                           {"map", mapOf},
                           {"mapFloat", reciprocalOf},
                           {"clip", clipOf},
                           {"zipTo", compareOf},
                           {"select", selectOf},
                           {"cast", castOf},
                           {"checks", checksOf},
                           {"mapAs and mapBlocks", typedOf},
                           {"mapWide", functionOf},
                           {"zipWide", powOf}});
}
