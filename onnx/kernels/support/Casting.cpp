//===- Casting.cpp - What kernels that convert elements share -------------===//
//
// Cast's rules are those of widenum/Convert.h; here is what they leave
// undefined. Floats to integers of 2 and 4 bits out of range: ONNX's stored
// tests have them wrap, which the reference evaluator does through int8.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Casting.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/StringCast.h"
#include "onnxfold/elements/ops/StringText.h"
#include <charconv>

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
  DataType range = isSubByte(type) ? DataType::Int8 : type;
  std::optional<int64_t> bad = firstNotConvertible(x, range);
  if (!bad)
    return {};
  return undefined(element(x, *bad) + textOf(x, *bad) +
                   ", out of the range of " + name(type));
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
  StringCast result = parse ? parseStrings(x, type, options) : formatStrings(x);
  if (result.value)
    return result.value;
  if (!parse)
    return undefined(element(x, result.bad) + "a " + name(x.type()) +
                     " whose text is not specified");
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
  if (isFloat(x.type()) && isInteger(type))
    if (Reason outside = findOutOfRange(x, type))
      return outside;
  if (type == DataType::Float8E8M0)
    if (Reason negative = findNegative(x, type))
      return negative;
  return cast(x, type, options);
}
