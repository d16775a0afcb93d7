//===- Casting.cpp - What kernels that convert elements share -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Cast's rules are those of widenum/Convert.h, but for floats to integers of 2
// and 4 bits, which round. Here is what the rules leave undefined.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Casting.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/StringCast.h"
#include "onnxfold/elements/ops/StringText.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include <charconv>
#include <cmath>
#include <limits>

using namespace onnxfold;
using namespace onnxfold::ops;

static std::string element(const Elements &x, int64_t number) {
  return "element " + toString(indexOf(number, x.shape())) + " is ";
}

/// A float element, as short as it can be read back.
static std::string textOf(const Elements &x, int64_t number) {
  char text[32];
  auto end = std::to_chars(std::begin(text), std::end(text),
                           x.number(number).to<double>());
  return std::string(text, end.ptr);
}

Reason onnxfold::findOutOfRange(const Elements &x, DataType type) {
  std::optional<int64_t> bad = firstNotConvertible(x, type);
  if (!bad)
    return {};
  return undefined(element(x, *bad) + textOf(x, *bad) +
                   ", out of the range of " + name(type));
}

Elements onnxfold::castOfAnyRange(const Elements &x, DataType type) {
  bool isWide = bitWidth(type) == 64 || type == DataType::UInt32;
  double beyond = isWide ? 0x1p63 : 0x1p31;
  auto converted = [=](double v) {
    return int64_t(v >= -beyond && v < beyond ? v : -beyond);
  };
  // The upper half of ui64 is converted as the lower one.
  bool hasUpperHalf = type == DataType::UInt64;
  Elements whole =
      mapAs<int64_t, double>(cast(x, DataType::Float64), [=](double v) {
        return hasUpperHalf && v >= beyond
                   ? converted(v - beyond) ^ std::numeric_limits<int64_t>::min()
                   : converted(v);
      });
  return cast(whole, type);
}

/// Floats as integers of 2 and 4 bits are rounded to nearest even, as ONNX's
/// pages of these types say. ONNX Runtime rounds halves away from zero, so a
/// half whose even neighbour is the smaller one stays. Out of range a number is
/// undefined, but for the whole numbers of a byte: of these the pages, the
/// stored tests, ONNX Runtime and the reference evaluator keep the low bits.
static FoldResult roundToNarrow(FoldContext &cx, DataType type) {
  const Elements &x = cx.input(0);
  bool hasSign = isSigned(type);
  double highest = (1 << (bitWidth(type) - hasSign)) - 1;
  double lowest = hasSign ? -highest - 1 : 0;
  auto isTie = [](double v) { return std::round(v) != std::nearbyint(v); };
  auto isDefined = [=](double v) {
    double whole = std::nearbyint(v);
    bool fits = whole >= lowest && whole <= highest;
    return fits || (whole == v && v >= -128 && v <= 127);
  };
  Elements wide = cast(x, DataType::Float64);
  Elements rounded =
      mapAs<double, double>(wide, [](double v) { return std::nearbyint(v); });
  if (mustDecide(cx))
    return castOfAnyRange(rounded, type);
  auto bad = firstWhere<double>(
      wide, [&](double v) { return isTie(v) || !isDefined(v); });
  if (!bad)
    return cast(rounded, type);
  std::string found = element(x, *bad) + textOf(x, *bad);
  if (isDefined(x.number(*bad).to<double>()))
    return undefined(found + ", which " + name(type) +
                     " rounds to even, and ONNX Runtime away from zero");
  return undefined(found + ", out of the range of " + name(type));
}

/// The first element that is below zero, or -0.
static Reason findNegative(const Elements &x, DataType type) {
  Elements wide = cast(x, DataType::Float64);
  auto bad = firstWhere<double>(
      wide, [](double v) { return std::signbit(v) && !isNan(v); });
  if (!bad)
    return {};
  return undefined(element(x, *bad) + textOf(wide, *bad) + ", and " +
                   name(type) + " has no sign");
}

/// Cast has a table for two pairs of `saturate` and `round_mode` to f8E8M0. With
/// the others ONNX Runtime and the reference evaluator differ: without
/// saturation beyond the range of the type, with it at infinity (that of f32,
/// through which both go).
static Reason findBeyondTable(const Elements &x, const CastOptions &options) {
  using Mode = CastOptions::RoundMode;
  bool saturates = options.saturate;
  if (options.roundMode == (saturates ? Mode::Up : Mode::Nearest))
    return {};
  constexpr double least = 0x1p-127, most = 0x1p127;
  Elements wide = cast(x, DataType::Float64);
  auto bad = firstWhere<double>(wide, [=](double v) {
    return saturates ? std::isinf(static_cast<float>(v))
                     : v < least || v > most;
  });
  if (!bad)
    return {};
  return undefined(element(x, *bad) + textOf(wide, *bad) +
                   ", out of the range of " + name(DataType::Float8E8M0) +
                   ", which Cast only defines for " +
                   (saturates ? "'round_mode' up" : "'round_mode' nearest") +
                   " with 'saturate' " + (saturates ? "1" : "0"));
}

CastOptions onnxfold::castOptions(FoldContext &cx) {
  CastOptions options;
  options.saturate = cx.integer("saturate").value_or(1) != 0;
  return options;
}

/// Attribute `round_mode`; nothing if it has another value.
static std::optional<CastOptions::RoundMode> roundMode(FoldContext &cx) {
  std::string mode = cx.string("round_mode").value_or("up");
  if (mode == "up")
    return CastOptions::RoundMode::Up;
  if (mode == "down")
    return CastOptions::RoundMode::Down;
  if (mode == "nearest")
    return CastOptions::RoundMode::Nearest;
  return std::nullopt;
}

static FoldResult castStrings(FoldContext &cx, const Elements &x, DataType type,
                              const CastOptions &options) {
  constexpr double unitsOfNumber = 10'000;
  constexpr int64_t mostDigits = 20; // of integers: others have no text
  bool parse = x.type() == DataType::String;
  if (Reason much = cx.checkWork(double(x.size()), unitsOfNumber))
    return much;
  if (parse)
    if (Reason much = cx.checkWork(double(characterCount(x)), 100))
      return much;
  if (!parse)
    if (Reason large = cx.checkText(x.size() * mostDigits))
      return large;
  // The evaluator makes words of truth values; runs take ONNX Runtime's 0 and 1.
  bool isDigit = x.type() == DataType::Bool && mustDecide(cx);
  StringCast result =
      parse ? parseStrings(x, type, options)
            : formatStrings(isDigit ? cast(x, DataType::UInt8) : x);
  if (result.value)
    return result.value;
  if (!parse)
    return undefined(element(x, result.bad) + "a " + name(x.type()) +
                     " whose text is not specified" +
                     (x.type() == DataType::Bool
                          ? ": ONNX Runtime writes 1 and 0, the "
                            "reference evaluator True and False"
                          : ""));
  auto text = x.value<llvm::StringRef>(result.bad).take_front(40).str();
  return undefined(element(x, result.bad) + "'" + text +
                   "', expected a number of type " + name(type));
}

FoldResult onnxfold::castInput(FoldContext &cx, DataType type) {
  const Elements &x = cx.input(0);
  CastOptions options = castOptions(cx);
  std::optional<CastOptions::RoundMode> mode = roundMode(cx);
  if (!mode)
    return invalid("attribute 'round_mode' is '" + *cx.string("round_mode") +
                   "', expected 'up', 'down' or 'nearest'");
  options.roundMode = *mode;
  if (x.type() == type)
    // The one type with an infinity that a cast to itself saturates.
    return type == DataType::Float8E5M2 && options.saturate
               ? cast(cast(x, DataType::Float32), type, options)
               : x.narrowed();
  if (x.type() == DataType::Opaque)
    return castSymbols(cx, type);
  if (x.type() == DataType::String || type == DataType::String)
    return castStrings(cx, x, type, options);
  if (!isConvertible(type, x.type()))
    return Elements();
  if (isFloat(x.type()) && isInteger(type) && isSubByte(type))
    return roundToNarrow(cx, type);
  if (isFloat(x.type()) && isInteger(type))
    if (Reason outside = findOutOfRange(x, type))
      return mustDecide(cx) ? FoldResult(castOfAnyRange(x, type))
                            : FoldResult(outside);
  if (type == DataType::Float8E8M0) {
    if (Reason negative = findNegative(x, type))
      return negative;
    if (Reason open = findBeyondTable(x, options))
      return open;
  }
  return cast(x, type, options);
}
