//===- Rounding.cpp - Doubles as the numbers of another type --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Rounding.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;

static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

namespace {
struct Format {
  int precision;   ///< bits, with the first one
  int minExponent; ///< of the smallest number that is not subnormal
  double largest;
};
} // namespace

/// Float8E8M0 has none: it has no zero.
static std::optional<Format> formatOf(DataType type) {
  switch (type) {
  case DataType::Float16:
    return Format{11, -14, 65504};
  case DataType::BFloat16:
    return Format{8, -126, 0x1.fep127};
  case DataType::Float32:
    return Format{24, -126, std::numeric_limits<float>::max()};
  case DataType::Float8E4M3FN:
    return Format{4, -6, 448};
  case DataType::Float8E4M3FNUZ:
    return Format{4, -7, 240};
  case DataType::Float8E5M2:
    return Format{3, -14, 57344};
  case DataType::Float8E5M2FNUZ:
    return Format{3, -15, 57344};
  case DataType::Float6E2M3:
    return Format{4, 0, 7.5};
  case DataType::Float6E3M2:
    return Format{3, -2, 28};
  case DataType::Float4E2M1:
    return Format{2, 0, 6};
  default:
    return std::nullopt;
  }
}

ConversionOptions dml::conversionOptions(LoweringContext &cx) {
  return {cx.op().getInt("saturate", 1) != 0,
          cx.op().getString("round_mode", "up")};
}

Expr dml::roundedHalfEven(Expr x) {
  // 1.5 * 2^52 leaves no bits for a fraction.
  return (x + 6755399441055744.0) - 6755399441055744.0;
}

std::pair<double, double> dml::integerLimits(DataType type) {
  double range = std::ldexp(1, bitWidth(type));
  if (isSigned(type))
    return {-range / 2, range / 2 - 1};
  return {0, range - 1};
}

static Expr powerOfTwo(LoweringContext &cx, Expr value,
                       const ConversionOptions &options) {
  double share = options.roundMode == "down"      ? 2
                 : options.roundMode == "nearest" ? 1.5
                                                  : std::nextafter(1.0, 2.0);
  return cx.helper("round_exponent",
                   {value, share,
                    options.saturate ? std::ldexp(1, -127) : notANumber,
                    options.saturate ? std::ldexp(1, 127) : notANumber});
}

Expr dml::roundedTo(LoweringContext &cx, Expr value, DataType type,
                    const ConversionOptions &options) {
  if (type == DataType::Float64)
    return value;
  std::optional<Format> format = formatOf(type);
  if (!format)
    return powerOfTwo(cx, value, options);
  Expr rounded =
      cx.helper("round_float", {value, format->precision, format->minExponent,
                                format->largest});
  if (typeClass(type) != TypeClass::SmallFloat)
    return rounded;
  rounded = cx.local("rounded", rounded);
  bool isFinite = bitWidth(type) < 8;
  if (options.saturate || isFinite)
    rounded = call("min",
                   {call("max", {rounded, -format->largest}), format->largest});
  else if (type != DataType::Float8E5M2)
    rounded = choice(Expr::binary(">", call("abs", {rounded}), format->largest),
                     notANumber, rounded);
  if (isFinite)
    rounded = choice(call("isNaN", {value}), 0, rounded);
  return rounded;
}

/// Every number of `from` is one of `to`, a float type, and converted to it.
static bool holdsAll(DataType to, DataType from) {
  if (to == DataType::Float64)
    return true;
  // Its infinities may become the largest number.
  if (to == from)
    return to != DataType::Float8E5M2;
  if (typeClass(to) == TypeClass::SmallFloat)
    return false;
  if (from == DataType::Bool)
    return true;
  if (isInteger(from))
    return int(bitWidth(from)) - isSigned(from) <= formatOf(to)->precision;
  if (from == DataType::Float8E8M0)
    return to != DataType::Float16;
  return to == DataType::Float32 ? from != DataType::Float64
                                 : typeClass(from) == TypeClass::SmallFloat;
}

Expr dml::converted(LoweringContext &cx, Expr value, DataType from, DataType to,
                    const ConversionOptions &options) {
  if (to == DataType::Bool)
    return from == to ? value : Expr::binary("!=", value, 0);
  if (isFloat(to))
    return holdsAll(to, from)
               ? value
               : roundedTo(cx, cx.local("value", value), to, options);
  if (from == DataType::Bool)
    return value;
  if (isFloat(from)) {
    value = cx.local("value", value);
    value = call("sign", {value}) * call("floor", {call("abs", {value})});
    return wrapped(cx, value, to);
  }
  auto [low, high] = integerLimits(from);
  auto [least, most] = integerLimits(to);
  return low < least || high > most ? wrapped(cx, value, to) : value;
}

Lowered dml::lowerConversion(LoweringContext &cx) {
  DataType from = cx.input(0).type, to = cx.result().type;
  if (to == DataType::UInt64 && isSigned(from))
    return Lowered::refused("negative numbers would be beyond 2^53");
  cx.define(0, converted(cx, cx.matrix(0), from, to, conversionOptions(cx)));
  return Lowered::done();
}
