//===- FloatFormat.h - Encoding and decoding narrow floats ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The scalar algorithms under Convert.h for floats of 16 bits and fewer; most
// code wants convert<To>() from there. FloatFormat<T> describes a format;
// decodeFloat and encodeFloat convert to and from float or double.
//
// encodeFloat rounds once, to nearest with ties to even, directly from the bits
// of its source. Both functions are branch free, so that loops over them
// vectorise, and give the same bits on every machine. They require the default
// floating-point environment (round to nearest, subnormals kept). All functions
// are constexpr, stateless and thread safe, and every input has a result. The
// formats are those of ONNX's documents on float8, float4 and float6 (IEEE 754;
// OCP Microscaling Formats 1.0; the FNUZ formats of Graphcore, AMD and
// Qualcomm).
//
//   uint32_t tooLarge = overflowOf<Float16>(CastOptions());
//   encodeFloat<Float16>(1.0 / 3, tooLarge).bits;    // 0x3555, rounded once
//   decodeFloat(Float16{0x3555});                    // the float
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_FLOATFORMAT_H
#define ONNXFOLD_WIDENUM_FLOATFORMAT_H

#include "onnxfold/widenum/DataType.h"

#include <bit>
#include <limits>
#include <type_traits>

namespace onnxfold {

/// How a cast to a small float treats numbers that the type cannot hold. The
/// defaults are those of ONNX's Cast since version 24. Only casts to the float8
/// types and Float8E8M0 use the options.
///
///   Cast 19 to 23   {.saturate = attribute}
///   Cast 24 on      {.saturate = attribute, .roundMode = attribute}
struct CastOptions {
  /// The rounding to Float8E8M0, the only type that uses it: Up rounds away
  /// from zero, Down towards zero, Nearest to nearest with ties up.
  enum class RoundMode : uint8_t { Up, Down, Nearest };

  /// True: infinities, and numbers that are rounded beyond the largest finite
  /// value, become that value; in Float8E8M0, numbers below the smallest value,
  /// 0 included, become the smallest. False: all of these become infinity in
  /// Float8E5M2, and NaN in the other types.
  bool saturate = true;
  RoundMode roundMode = RoundMode::Up;
};

/// The meaning of the patterns that are infinity and NaN in IEEE formats.
enum class FloatSpecials : uint8_t {
  Ieee,    // largest exponent: infinity and NaNs
  NanOnly, // all ones: NaN; no infinity ("FN")
  Fnuz,    // sign bit alone: NaN; no infinity, no -0
  Finite,  // none
};

namespace detail {
template <unsigned exponentWidth, unsigned mantissaWidth, int exponentBias,
          FloatSpecials specialValues>
struct FormatOf {
  static constexpr unsigned mantissaBits = mantissaWidth;
  static constexpr int bias = exponentBias;
  static constexpr FloatSpecials specials = specialValues;
  static constexpr uint32_t signBit = 1u << (exponentWidth + mantissaWidth);
  /// Exponent all ones, mantissa zero: infinity in the IEEE formats.
  static constexpr uint32_t topExponent = signBit - (1u << mantissaWidth);
  static constexpr uint32_t largest =
      specials == FloatSpecials::Ieee      ? topExponent - 1
      : specials == FloatSpecials::NanOnly ? signBit - 2
                                           : signBit - 1;
};
} // namespace detail

/// The parameters of the format T. There is no specialisation for Float8E8M0,
/// which has no sign and no mantissa.
template <class T> struct FloatFormat;
template <>
struct FloatFormat<Float16> : detail::FormatOf<5, 10, 15, FloatSpecials::Ieee> {
};
template <>
struct FloatFormat<BFloat16>
    : detail::FormatOf<8, 7, 127, FloatSpecials::Ieee> {};
template <>
struct FloatFormat<Float8E4M3FN>
    : detail::FormatOf<4, 3, 7, FloatSpecials::NanOnly> {};
template <>
struct FloatFormat<Float8E4M3FNUZ>
    : detail::FormatOf<4, 3, 8, FloatSpecials::Fnuz> {};
template <>
struct FloatFormat<Float8E5M2>
    : detail::FormatOf<5, 2, 15, FloatSpecials::Ieee> {};
template <>
struct FloatFormat<Float8E5M2FNUZ>
    : detail::FormatOf<5, 2, 16, FloatSpecials::Fnuz> {};
template <>
struct FloatFormat<Float6E2M3>
    : detail::FormatOf<2, 3, 1, FloatSpecials::Finite> {};
template <>
struct FloatFormat<Float6E3M2>
    : detail::FormatOf<3, 2, 3, FloatSpecials::Finite> {};
template <>
struct FloatFormat<Float4E2M1>
    : detail::FormatOf<2, 1, 1, FloatSpecials::Finite> {};

namespace detail {

template <class T> struct IeeeOf; // the formats that C++ has
template <> struct IeeeOf<float> {
  using Bits = uint32_t;
  static constexpr unsigned mantissaBits = 23;
  static constexpr int bias = 127;
};
template <> struct IeeeOf<double> {
  using Bits = uint64_t;
  static constexpr unsigned mantissaBits = 52;
  static constexpr int bias = 1023;
};

/// condition ? a : b, written so that g++ makes no branch of it. Branches would
/// keep it from vectorising.
template <class Bits> constexpr Bits select(bool condition, Bits a, Bits b) {
  return b ^ ((a ^ b) & (Bits(0) - Bits(condition)));
}

/// 2^exponent. REQUIRES: it is a normal number of the type.
template <class T> constexpr T powerOfTwo(int exponent) {
  using Bits = typename IeeeOf<T>::Bits;
  return std::bit_cast<T>(static_cast<Bits>(exponent + IeeeOf<T>::bias)
                          << IeeeOf<T>::mantissaBits);
}

/// The magnitude that encodeFloat gives to infinities and to numbers that are
/// beyond the largest value after rounding. It depends on the options alone, so
/// loops should compute it once.
template <class To> constexpr uint32_t overflowOf(const CastOptions &options) {
  using Format = FloatFormat<To>;
  constexpr uint32_t largest = Format::largest;
  // 16-bit IEEE formats never saturate; formats without specials always do.
  if constexpr (sizeof(To) == 2)
    return Format::topExponent;
  if constexpr (Format::specials == FloatSpecials::Finite)
    return largest;
  constexpr uint32_t nanOrInfinity =
      Format::specials == FloatSpecials::Ieee      ? Format::topExponent
      : Format::specials == FloatSpecials::NanOnly ? Format::signBit - 1
                                                   : Format::signBit;
  return options.saturate ? largest : nanOrInfinity;
}

/// The magnitude of the NaN that a source NaN becomes. In IEEE formats it is
/// quiet and keeps the leading bits of the payload, as conversions of
/// processors do. In formats without NaN it is 0 (with the opposite sign, see
/// encodeFloat).
template <class To, class Bits>
constexpr uint32_t nanMagnitude(Bits magnitude, unsigned shift) {
  using Format = FloatFormat<To>;
  if constexpr (Format::specials == FloatSpecials::Ieee) {
    constexpr uint32_t quiet = 1u << (Format::mantissaBits - 1);
    uint32_t payload = static_cast<uint32_t>(magnitude >> shift) &
                       ((1u << Format::mantissaBits) - 1);
    return Format::topExponent | quiet | payload;
  } else if constexpr (Format::specials == FloatSpecials::NanOnly) {
    return Format::signBit - 1;
  } else if constexpr (Format::specials == FloatSpecials::Fnuz) {
    return Format::signBit;
  } else {
    return 0;
  }
}

/// x, a float or a double, rounded once to the format of To.
/// REQUIRES: `tooLarge` is overflowOf<To>(options).
template <class To, class From>
constexpr To encodeFloat(From x, uint32_t tooLarge) {
  using Format = FloatFormat<To>;
  using Source = IeeeOf<From>;
  using Bits = typename Source::Bits;
  constexpr unsigned shift = Source::mantissaBits - Format::mantissaBits;
  constexpr Bits one = 1;
  constexpr Bits signMask = one << (sizeof(From) * 8 - 1);
  constexpr Bits infinity =
      std::bit_cast<Bits>(std::numeric_limits<From>::infinity());
  constexpr Bits rebias = static_cast<Bits>(Source::bias - Format::bias)
                          << Format::mantissaBits;
  constexpr Bits smallestNormal =
      std::bit_cast<Bits>(powerOfTwo<From>(1 - Format::bias));
  // A number whose unit in the last place is the target's smallest step. Adding
  // it rounds a number that is subnormal in the target, and leaves its number
  // of steps in the low bits.
  constexpr From stepper = powerOfTwo<From>(
      1 - Format::bias - static_cast<int>(Format::mantissaBits) +
      static_cast<int>(Source::mantissaBits));

  Bits bits = std::bit_cast<Bits>(x);
  Bits magnitude = bits & ~signMask;
  Bits sign = (bits >> (sizeof(From) * 8 - 1)) * Format::signBit;

  // Adding half a unit (less one if the kept part is even) carries into the
  // kept part exactly when the number must be rounded up. A carry out of the
  // mantissa increments the exponent, which is correct too.
  Bits half = (one << (shift - 1)) - 1 + ((magnitude >> shift) & 1);
  Bits normal = ((magnitude + half) >> shift) - rebias;
  Bits rounded = normal;
  // If both formats have the same exponents, subnormals need no special case.
  if constexpr (Source::bias != Format::bias) {
    Bits subnormal =
        std::bit_cast<Bits>(std::bit_cast<From>(magnitude) + stepper) -
        std::bit_cast<Bits>(stepper);
    rounded = select(magnitude < smallestNormal, subnormal, normal);
  }

  Bits result = select(rounded > Format::largest, Bits(tooLarge), rounded);
  result = select(magnitude > infinity,
                  Bits(nanMagnitude<To>(magnitude, shift)), result);
  if constexpr (Format::specials == FloatSpecials::Fnuz)
    sign = select(result == 0, Bits(0), sign); // 0x80 is NaN, not -0
  if constexpr (Format::specials == FloatSpecials::Finite)
    // NaN becomes -0, and -NaN becomes 0, as ONNX's test data has it.
    sign ^= Bits(magnitude > infinity) * Format::signBit;
  return To{static_cast<decltype(To::bits)>(result | sign)};
}

/// The value of x, which float holds exactly for every format here. NaNs are
/// made quiet and keep sign and payload; those of FNUZ formats become the
/// default NaN.
template <class From> constexpr float decodeFloat(From x) {
  using Format = FloatFormat<From>;
  constexpr unsigned shift = 23 - Format::mantissaBits;
  constexpr uint32_t rebias = static_cast<uint32_t>(127 - Format::bias) << 23;
  constexpr float stepper = powerOfTwo<float>(
      Format::bias == 127
          ? -126 // then the shifted pattern is the float, subnormal or not
          : 1 - Format::bias - static_cast<int>(Format::mantissaBits) + 23);
  uint32_t magnitude = x.bits & (Format::signBit - 1);
  uint32_t sign = (x.bits / Format::signBit) << 31;
  uint32_t result = (magnitude << shift) + rebias;
  if constexpr (Format::bias != 127) {
    // The pattern of a subnormal is a number of steps: it becomes the low bits
    // of the stepper, which is then subtracted.
    float subnormal =
        std::bit_cast<float>(std::bit_cast<uint32_t>(stepper) | magnitude) -
        stepper;
    result = select(magnitude < (1u << Format::mantissaBits),
                    std::bit_cast<uint32_t>(subnormal), result);
  }
  constexpr uint32_t quietNaN = 0x7fc00000u;
  if constexpr (Format::specials == FloatSpecials::Ieee) {
    uint32_t special = 0x7f800000u | (magnitude << shift);
    result = select(magnitude >= Format::topExponent, special, result);
    result |= (magnitude > Format::topExponent) * 0x00400000u;
  } else if constexpr (Format::specials == FloatSpecials::NanOnly) {
    result = select(magnitude == Format::signBit - 1, quietNaN, result);
  } else if constexpr (Format::specials == FloatSpecials::Fnuz) {
    bool isNaN = x.bits == Format::signBit;
    result = select(isNaN, quietNaN, result);
    sign = select(isNaN, 0u, sign);
  }
  return std::bit_cast<float>(result | sign);
}

/// 2^(bits - 127), or NaN. The smallest value is a subnormal float.
constexpr float decodeExponent(Float8E8M0 x) {
  uint32_t bits = static_cast<uint32_t>(x.bits) << 23;
  bits = x.bits == 0 ? 0x00400000u : bits;
  return std::bit_cast<float>(x.bits == 0xff ? 0x7fc00000u : bits);
}

/// x rounded to a power of two. NaN and negative numbers (undefined in ONNX)
/// give NaN; -0 counts as 0.
constexpr Float8E8M0 encodeExponent(double x, const CastOptions &options) {
  constexpr uint8_t nan = 0xff, largest = 0xfe;
  constexpr uint64_t mantissaMask = (uint64_t(1) << 52) - 1;
  if (!(x >= 0))
    return {nan};
  if (x < powerOfTwo<double>(-127))
    // With saturation every mode gives the smallest value; without, the number
    // is too small for every mode.
    return {options.saturate ? uint8_t(0) : nan};
  if (x > powerOfTwo<double>(127))
    return {options.saturate ? largest : nan};
  uint64_t bits = std::bit_cast<uint64_t>(x);
  uint64_t exponent = (bits >> 52) - 1023 + 127;
  uint64_t mantissa = bits & mantissaMask;
  if (options.roundMode == CastOptions::RoundMode::Up)
    exponent += mantissa != 0;
  else if (options.roundMode == CastOptions::RoundMode::Nearest)
    exponent += mantissa >> 51; // at least 1.5 times the power below
  return {static_cast<uint8_t>(exponent)};
}

} // namespace detail
} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_FLOATFORMAT_H
