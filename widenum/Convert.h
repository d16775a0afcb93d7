//===- Convert.h - Conversions between element types ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One element: convert<To>(x). Many: convertBlock. Both follow ONNX's Cast:
//
//   float -> float     one rounding to nearest even, also from double to f16
//                      (never through float); beyond the range: infinity, in
//                      small floats as CastOptions says. NaN: see RATIONALE.md
//   float -> integer   towards zero. 8 to 64 bits: 0 if the number does not fit
//                      (undefined in ONNX: ask inRange or allInRange first);
//                      2 and 4 bits: the low bits of the number as int64
//   integer -> float   one rounding, also from 64 bits (never through double)
//   integer -> integer low bits, two's complement
//   x -> bool          x != 0; NaN is true
//   bool -> x          0 or 1
//   complex -> complex part by part
//
// Strings.h converts strings. Opaque converts to no other type.
//
// The results have the same bits on every machine. The functions are stateless
// and thread safe, and report no errors: a pair of types that cannot be
// converted violates a REQUIRES.
//
// Example:
//   Float16 h = convert<Float16>(0.1);
//   if (allInRange(DataType::Int8, DataType::Float32, in, n))
//     convertBlock(DataType::Int8, out, DataType::Float32, in, n);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_CONVERT_H
#define ONNXFOLD_WIDENUM_CONVERT_H

#include "onnxfold/widenum/FloatFormat.h"

#include <cstddef>

namespace onnxfold {

namespace detail {
template <class T> struct ComputeTypeOf { using type = T; };
#define ONNXFOLD_COMPUTE_TYPE(Type, Compute)                                   \
  template <> struct ComputeTypeOf<Type> { using type = Compute; };
ONNXFOLD_COMPUTE_TYPE(Float16, float)
ONNXFOLD_COMPUTE_TYPE(BFloat16, float)
ONNXFOLD_COMPUTE_TYPE(Float8E4M3FN, float)
ONNXFOLD_COMPUTE_TYPE(Float8E4M3FNUZ, float)
ONNXFOLD_COMPUTE_TYPE(Float8E5M2, float)
ONNXFOLD_COMPUTE_TYPE(Float8E5M2FNUZ, float)
ONNXFOLD_COMPUTE_TYPE(Float8E8M0, float)
ONNXFOLD_COMPUTE_TYPE(Float6E2M3, float)
ONNXFOLD_COMPUTE_TYPE(Float6E3M2, float)
ONNXFOLD_COMPUTE_TYPE(Float4E2M1, float)
ONNXFOLD_COMPUTE_TYPE(UInt4, uint8_t)
ONNXFOLD_COMPUTE_TYPE(Int4, int8_t)
ONNXFOLD_COMPUTE_TYPE(UInt2, uint8_t)
ONNXFOLD_COMPUTE_TYPE(Int2, int8_t)
#undef ONNXFOLD_COMPUTE_TYPE
} // namespace detail

/// The C++ type to compute in. It is float for the floats narrower than float,
/// the storage type for integers narrower than a byte, and the type itself for
/// all others. (C++ promotes int8_t and int16_t to int; convert the result
/// back.)
///
/// If + - * / or sqrt of Float16 and BFloat16 is computed in float, and the
/// result is rounded once to the type, it is correctly rounded: for a format of
/// p bits, an intermediate rounding to 2p + 2 bits or more does not change the
/// result of such an operation (Figueroa, "When is double rounding
/// innocuous?", 1995), and float has 24 >= 2 * 11 + 2. The same holds for float
/// computed in double: 53 >= 2 * 24 + 2. It does not hold for fused or longer
/// expressions.
template <class T> using ComputeType = typename detail::ComputeTypeOf<T>::type;

namespace detail {

template <class T>
inline constexpr TypeClass classOf = typeClass(dataTypeOf<T>);
template <class T>
inline constexpr bool isIntegerType = isInteger(dataTypeOf<T>);
template <class T> inline constexpr bool isFloatType = isFloat(dataTypeOf<T>);
template <class T>
inline constexpr bool isNativeFloat =
    std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
inline constexpr bool isSubByteInteger = isIntegerType<T> &&
    isSubByte(dataTypeOf<T>);
template <class T> inline constexpr unsigned bitsOf = bitWidth(dataTypeOf<T>);
template <class T> inline constexpr bool isSignedType = isSigned(dataTypeOf<T>);

/// Any numeric element or bool as a C++ arithmetic type of the same value.
template <class T> constexpr auto decode(T x) {
  if constexpr (std::is_same_v<T, Float8E8M0>)
    return decodeExponent(x);
  else if constexpr (isFloatType<T> && !isNativeFloat<T>)
    return decodeFloat(x);
  else if constexpr (isSubByteInteger<T>)
    return x.value;
  else
    return x;
}

/// An integer as a double for further rounding. It is exact below 2^53. Above,
/// it is rounded to odd: the lowest bit kept says whether any bit was lost. So
/// rounding the result to any format of 40 bits or fewer equals rounding the
/// integer.
template <class Int> constexpr double toDoubleOdd(Int x) {
  if constexpr (sizeof(Int) < 8) {
    return static_cast<double>(x);
  } else {
    constexpr uint64_t limit = uint64_t(1) << 53, lost = (1 << 11) - 1;
    bool negative = std::is_signed_v<Int> && static_cast<int64_t>(x) < 0;
    uint64_t magnitude =
        negative ? -static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
    uint64_t odd =
        (magnitude & ~lost) | ((magnitude & lost) != 0 ? lost + 1 : 0);
    double result = static_cast<double>(magnitude < limit ? magnitude : odd);
    return negative ? -result : result;
  }
}

/// A double as a float for further rounding. It is rounded to odd, so rounding
/// the result to any format of 20 bits or fewer equals rounding the double.
/// (The step between subnormal floats is far below that of any such format.)
constexpr float toFloatOdd(double x) {
  auto nearest = static_cast<float>(x);
  auto back = static_cast<double>(nearest);
  auto bits = std::bit_cast<uint32_t>(nearest);
  // Every comparison with NaN is false, so a NaN is not changed.
  uint32_t lost = (back < x) | (back > x);
  uint32_t away = ((back > x) & (x > 0)) | ((back < x) & (x < 0));
  return std::bit_cast<float>((bits - away) | lost);
}

/// The bounds, both exclusive, between which the whole part of a Float fits an
/// integer of the given kind.
template <class Float> struct ExclusiveBounds { Float below, above; };
template <class Float>
constexpr ExclusiveBounds<Float> boundsOfInteger(bool isSigned, unsigned bits) {
  using Bits = typename IeeeOf<Float>::Bits;
  Float top = powerOfTwo<Float>(static_cast<int>(bits - isSigned));
  if (!isSigned)
    return {-1, top};
  // If -top - 1 is not a Float, the next Float below -top is a whole number.
  if (bits - 1 < static_cast<unsigned>(std::numeric_limits<Float>::digits))
    return {-top - 1, top};
  return {std::bit_cast<Float>(std::bit_cast<Bits>(-top) + 1), top};
}

template <class Float, bool isSignedInteger, unsigned bits>
constexpr bool truncatedFits(Float x) {
  constexpr auto bounds = boundsOfInteger<Float>(isSignedInteger, bits);
  return x > bounds.below && x < bounds.above;
}

/// The low bits of x as an integer type, which may be narrower than a byte.
template <class To, class Int> constexpr To wrapInteger(Int x) {
  if constexpr (!isSubByteInteger<To>) {
    return static_cast<To>(x);
  } else {
    constexpr unsigned unused = 8 - bitsOf<To>;
    using Storage = decltype(To::value);
    auto shifted = static_cast<Storage>(
        static_cast<uint8_t>(static_cast<uint8_t>(x) << unused));
    return To{static_cast<Storage>(shifted >> unused)};
  }
}

template <class To, class Float> constexpr To truncateFloat(Float x) {
  constexpr bool subByte = isSubByteInteger<To>;
  constexpr bool isSignedInteger = subByte || isSignedType<To>;
  // A sub-byte integer is the low bits of a wide one. From 2^31 on a float is a
  // multiple of 2^8, so these bits are 0, as for a number that does not fit. So
  // 32 bits suffice, and more of them are converted at a time.
  constexpr bool lowBitsAreZero = std::numeric_limits<Float>::digits <= 24;
  constexpr unsigned bits = !subByte ? bitsOf<To> : lowBitsAreZero ? 32 : 64;
  using Integer = std::conditional_t<
      bits == 64, std::conditional_t<isSignedInteger, int64_t, uint64_t>,
      std::conditional_t<bits == 32 && !isSignedInteger, uint32_t, int32_t>>;
  Float safe = truncatedFits<Float, isSignedInteger, bits>(x) ? x : Float(0);
  return wrapInteger<To>(static_cast<Integer>(safe));
}

/// x, a C++ arithmetic type, as a float format that C++ does not have.
template <class To, class From>
constexpr To roundToFormat(From x, const CastOptions &options) {
  if constexpr (std::is_floating_point_v<From>) {
    if constexpr (std::is_same_v<To, Float8E8M0>)
      return encodeExponent(static_cast<double>(x), options);
    else
      return encodeFloat<To>(x, overflowOf<To>(options));
  } else if constexpr (sizeof(From) <= 2) {
    return roundToFormat<To>(static_cast<float>(x), options);
  } else {
    return roundToFormat<To>(toDoubleOdd(x), options);
  }
}

} // namespace detail

/// x as an element of type To, by the rules at the top of this file. To and
/// From are both numeric types or bool, or both complex, or the same type,
/// which is copied bit by bit. Any other pair does not compile.
template <class To, class From>
constexpr To convert(From x, const CastOptions &options = {}) {
  using namespace detail;
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (classOf<From> == TypeClass::Complex) {
    using Part = typename To::value_type;
    return To(static_cast<Part>(x.real()), static_cast<Part>(x.imag()));
  } else {
    auto value = decode(x);
    using Value = decltype(value);
    if constexpr (std::is_same_v<To, bool>)
      return value != 0;
    else if constexpr (isNativeFloat<To>)
      return static_cast<To>(value);
    else if constexpr (isFloatType<To>)
      return roundToFormat<To>(value, options);
    else if constexpr (std::is_floating_point_v<Value>)
      return truncateFloat<To>(value);
    else
      return wrapInteger<To>(value);
  }
}

/// Whether To can hold x, after the fraction of a float is cut off. It is false
/// for NaN and infinities, and always true if To is a float or bool.
template <class To, class From> constexpr bool inRange(From x) {
  using namespace detail;
  if constexpr (!isIntegerType<To>) {
    return true;
  } else {
    auto value = decode(x);
    using Value = decltype(value);
    if constexpr (std::is_floating_point_v<Value>) {
      return truncatedFits<Value, isSignedType<To>, bitsOf<To>>(value);
    } else {
      constexpr unsigned digits = bitsOf<To> - isSignedType<To>;
      constexpr uint64_t largest = ~uint64_t(0) >> (64 - digits);
      if constexpr (std::is_signed_v<Value>)
        if (value < 0)
          return isSignedType<To> && static_cast<int64_t>(value) >=
                                         -static_cast<int64_t>(largest) - 1;
      return static_cast<uint64_t>(value) <= largest;
    }
  }
}

/// Whether convertBlock takes the pair of types: both are numeric or bool, or
/// both complex, or they are the same type (String and Opaque included).
constexpr bool isConvertible(DataType to, DataType from) {
  auto isReal = [](DataType type) {
    return isNumeric(type) || type == DataType::Bool;
  };
  return (isReal(to) && isReal(from)) || (isComplex(to) && isComplex(from)) ||
         (to == from && to != DataType::Undefined);
}

/// Converts `count` contiguous elements, with the same bits as convert<To>.
/// The pointers need no alignment.
/// REQUIRES: isConvertible(to, from); the two ranges do not overlap; elements
/// of `in` are valid (bools 0 or 1, sub-byte integers within their range).
void convertBlock(DataType to, void *out, DataType from, const void *in,
                  size_t count, const CastOptions &options = {});

/// convertBlock to and from Float64, for callers that compute in double.
void convertBlockToDouble(DataType from, const void *in, double *out,
                          size_t count);
void convertBlockFromDouble(DataType to, void *out, const double *in,
                            size_t count, const CastOptions &options = {});

/// Whether inRange holds for all of `count` contiguous elements. `in` needs no
/// alignment.
/// REQUIRES: both types are numeric or bool.
bool allInRange(DataType to, DataType from, const void *in, size_t count);

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_CONVERT_H
