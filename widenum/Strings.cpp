//===- Strings.cpp - Numbers as text --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/Strings.h"

#include "onnxfold/widenum/Dispatch.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

#include <charconv>
#include <cmath>
#include <cstring>

using namespace onnxfold;
using llvm::APFloat;
using llvm::StringRef;

/// Longer text costs more than linear time, and no writer makes it.
static constexpr size_t longestNumber = 4096;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static size_t countDigits(StringRef text) {
  return text.take_while(llvm::isDigit).size();
}

/// Whether text is digits[.digits][e[+-]digits] with a digit before or after
/// the point. (APFloat takes more: hexadecimal, "nan(0x7)".)
static bool isDecimalNumber(StringRef text) {
  size_t digits = countDigits(text);
  text = text.drop_front(digits);
  if (text.consume_front(".")) {
    size_t fraction = countDigits(text);
    digits += fraction;
    text = text.drop_front(fraction);
  }
  if (digits == 0)
    return false;
  if (text.consume_front("e") || text.consume_front("E")) {
    if (!text.consume_front("+"))
      text.consume_front("-");
    return !text.empty() && countDigits(text) == text.size();
  }
  return text.empty();
}

/// The decimal number as a double: rounded to nearest, or, to be rounded
/// further to a narrower type, to odd: towards zero with the last bit set if
/// anything was lost. REQUIRES: isDecimalNumber(text).
static std::optional<double> parseDecimal(StringRef text, bool roundToOdd) {
  APFloat value(APFloat::IEEEdouble());
  auto status = value.convertFromString(
      text, roundToOdd ? APFloat::rmTowardZero : APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return std::nullopt;
  }
  auto bits = value.bitcastToAPInt().getZExtValue();
  if (roundToOdd && (*status & APFloat::opInexact))
    bits |= 1;
  return std::bit_cast<double>(bits);
}

static std::optional<double> parseFloat(StringRef text, DataType to) {
  if (text.equals_insensitive("nan"))
    return std::numeric_limits<double>::quiet_NaN();
  bool negative = text.consume_front("-");
  if (!negative)
    text.consume_front("+");
  std::optional<double> magnitude;
  if (text.equals_insensitive("inf"))
    magnitude = std::numeric_limits<double>::infinity();
  else if (isDecimalNumber(text))
    magnitude = parseDecimal(text, /*roundToOdd=*/to != DataType::Float64);
  if (magnitude && negative)
    return -*magnitude;
  return magnitude;
}

/// REQUIRES: the characters are [+-]digits; the rest is checked here.
template <class Int> static std::optional<WideNum> parseAs(StringRef text) {
  text.consume_front("+"); // from_chars does not take it
  Int value;
  auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || end != text.end())
    return std::nullopt;
  return WideNum::widen(value);
}

static std::optional<WideNum> parseInteger(StringRef text, DataType to) {
  StringRef digits = text;
  if (!digits.consume_front("+"))
    digits.consume_front("-");
  if (digits.empty() || countDigits(digits) != digits.size())
    return std::nullopt;
  if (isUnsigned(to) && text.starts_with("-"))
    return digits.find_first_not_of('0') == StringRef::npos
               ? std::optional(WideNum::widen(uint64_t(0)))
               : std::nullopt;
  auto value =
      isUnsigned(to) ? parseAs<uint64_t>(text) : parseAs<int64_t>(text);
  if (value && !value->fits(to))
    return std::nullopt;
  return value;
}

std::optional<WideNum> onnxfold::parseNumber(StringRef text, DataType to,
                                             const CastOptions &options) {
  if (text.size() > longestNumber)
    return std::nullopt;
  if (isInteger(to))
    return parseInteger(text, to);
  if (!isFloat(to))
    return std::nullopt;
  std::optional<double> exact = parseFloat(text, to);
  if (!exact)
    return std::nullopt;
  std::optional<WideNum> result;
  visitNumeric(to, [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = WideNum::widen(convert<T>(*exact, options));
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

template <class Int> static std::string formatInteger(Int value) {
  char buffer[24];
  auto [end, error] = std::to_chars(buffer, std::end(buffer), value);
  (void)error; // 64 bits fit
  return std::string(buffer, end);
}

/// Plain decimal notation of a number that is d.dddde[+-]dd.
static std::string withoutExponent(StringRef scientific) {
  std::string sign = scientific.consume_front("-") ? "-" : "";
  auto [mantissa, exponentText] = scientific.split('e');
  exponentText.consume_front("+");
  int exponent = 0;
  std::from_chars(exponentText.begin(), exponentText.end(), exponent);
  std::string digits = mantissa.take_front(1).str();
  if (mantissa.size() > 2)
    digits += mantissa.drop_front(2).rtrim('0');
  if (exponent < 0)
    return sign + "0." + std::string(-exponent - 1, '0') + digits;
  size_t whole = exponent + 1;
  if (digits.size() < whole + 1)
    digits.append(whole + 1 - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

/// The shortest digits of x that read back as x; of the shortest, the nearest.
template <class T> static std::string shortestScientific(T x) {
  char buffer[64];
  auto format = [&](auto value, auto... precision) {
    auto [end, error] =
        std::to_chars(buffer, std::end(buffer), value,
                      std::chars_format::scientific, precision...);
    (void)error; // 64 characters are enough for 17 digits
    return StringRef(buffer, end - buffer);
  };
  if constexpr (!std::is_same_v<T, Float16>) {
    return format(x).str();
  } else {
    // Five significant digits tell any two f16 apart. Half way between two
    // decimals either may be the one that reads back (0.015625: 0.01563), and
    // a double just above gives the other one.
    auto value = convert<double>(x);
    double above = std::nextafter(value, 2 * value);
    for (int precision = 0; precision < 4; ++precision)
      for (double candidate : {value, above}) {
        StringRef text = format(candidate, precision);
        if (parseNumber(text, DataType::Float16)->to<Float16>() == x)
          return text.str();
      }
    return format(value, 4).str();
  }
}

template <class T> static std::optional<std::string> formatFloat(T x) {
  double value = convert<double>(x);
  if (value == 0)
    return std::signbit(value) ? "-0.0" : "0.0";
  // Also false for NaN.
  if (!(std::abs(value) >= 1e-4 && std::abs(value) < 1e16))
    return std::nullopt;
  return withoutExponent(shortestScientific(x));
}

std::optional<std::string> onnxfold::formatNumber(DataType type,
                                                  const void *data) {
  std::optional<std::string> result;
  visitNumeric(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T element;
    std::memcpy(&element, data, sizeof(element));
    if constexpr (isInteger(dataTypeOf<T>))
      result = formatInteger(detail::decode(element));
    else if constexpr (typeClass(dataTypeOf<T>) == TypeClass::Float &&
                       !std::is_same_v<T, BFloat16>)
      result = formatFloat(element);
  });
  return result;
}
