//===- WideNum.h - One number of any element type ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A WideNum holds one numeric element, or bool, of any type without loss: a
// double, an int64_t or a uint64_t, and its kind. It is for scalars (splats,
// attributes, limits); convertBlock converts arrays.
//
//   floats             Double
//   signed integers    Int64
//   unsigned integers  UInt64
//   bool               UInt64, 0 or 1
//
// It is a value type of 16 bytes that owns nothing, reports no errors, and is
// as thread safe as an int. Rounding and ranges are those of Convert.h.
//
// Example:
//   WideNum n = WideNum::from(DataType::Float16, data);
//   if (n < WideNum::widen(0))
//     WideNum::widen(0.5).store(DataType::BFloat16, out);
//   int64_t i = n.to<int64_t>();
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_WIDENUM_H
#define ONNXFOLD_WIDENUM_WIDENUM_H

#include "onnxfold/widenum/Convert.h"

#include <compare>

namespace onnxfold {

enum class WideKind : uint8_t { Double, Int64, UInt64 };

/// Whether a WideNum can hold the elements of the type: numeric, or bool.
constexpr bool hasWideKind(DataType type) {
  return isNumeric(type) || type == DataType::Bool;
}

/// The kind that holds elements of the type. REQUIRES: hasWideKind(type).
constexpr WideKind wideKindOf(DataType type) {
  return isFloat(type)    ? WideKind::Double
         : isSigned(type) ? WideKind::Int64
                          : WideKind::UInt64;
}

struct WideNum {
  union {
    double asDouble;
    int64_t asInt64;
    uint64_t asUInt64;
  };
  WideKind kind;

  /// The integer 0.
  constexpr WideNum() : asInt64(0), kind(WideKind::Int64) {}

  /// The number of a numeric element, a bool, or a C++ integer (long long too).
  template <class T> static constexpr WideNum widen(T value) {
    WideNum wide;
    if constexpr (std::is_same_v<T, bool> || std::is_unsigned_v<T>) {
      wide.asUInt64 = value;
      wide.kind = WideKind::UInt64;
    } else if constexpr (std::is_integral_v<T>) {
      wide.asInt64 = value;
    } else if constexpr (std::is_floating_point_v<T>) {
      wide.asDouble = static_cast<double>(value);
      wide.kind = WideKind::Double;
    } else {
      return widen(detail::decode(value));
    }
    return wide;
  }

  /// The element of type `type` at `data`, which may be unaligned.
  /// REQUIRES: hasWideKind(type).
  static WideNum from(DataType type, const void *data);

  /// The number as an element of type T, by the rules of Convert.h.
  template <class T> constexpr T to(const CastOptions &options = {}) const {
    switch (kind) {
    case WideKind::Double:
      return convert<T>(asDouble, options);
    case WideKind::Int64:
      return convert<T>(asInt64, options);
    case WideKind::UInt64:
      break;
    }
    return convert<T>(asUInt64, options);
  }

  /// Writes to<T>() to `data`, which may be unaligned, where T is the C++ type
  /// of `type`. REQUIRES: hasWideKind(type).
  void store(DataType type, void *data, const CastOptions &options = {}) const;

  /// Whether the number is an element of type `type` once its fraction is cut
  /// off (inRange). REQUIRES: hasWideKind(type).
  bool fits(DataType type) const;

  bool isNaN() const {
    return kind == WideKind::Double && asDouble != asDouble;
  }

  /// Compares the numbers exactly, also of different kinds: the integer
  /// 2^53 + 1 is greater than the double 2^53. NaN is unordered.
  static std::partial_ordering compare(const WideNum &a, const WideNum &b);
  friend std::partial_ordering operator<=>(const WideNum &a, const WideNum &b) {
    return compare(a, b);
  }
  friend bool operator==(const WideNum &a, const WideNum &b) {
    return (a <=> b) == 0;
  }
};

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_WIDENUM_H
