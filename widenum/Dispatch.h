//===- Dispatch.h - From a run-time type to compile-time code ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place where a DataType becomes a C++ type. Each function calls the
// visitor once with TypeTag<T>, where T is the C++ type of `type`, and returns
// true. If the type is not in the function's class, it returns false and does
// not call the visitor. The result of the visitor is ignored.
//
// The visitor is instantiated for every type of the class, so callers should
// use the smallest class that suffices. Data movement needs visitBytes only.
// The functions are stateless, and as thread safe as the visitor.
//
// Example:
//   bool known = visitArithmetic(type, [&](auto tag) {
//     using T = typename decltype(tag)::type;
//     addLoop(static_cast<const T *>(a), static_cast<const T *>(b), n);
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_DISPATCH_H
#define ONNXFOLD_WIDENUM_DISPATCH_H

#include "onnxfold/widenum/DataType.h"

namespace onnxfold {

template <class T> struct TypeTag { using type = T; };

/// 16 bytes without meaning, for data movement.
struct Bytes16 {
  uint64_t low, high;
  friend constexpr bool operator==(Bytes16, Bytes16) = default;
};

namespace detail {
/// Calls `visitor` for the types that `Keep` holds for.
template <template <DataType> class Keep, class V>
bool visitIf(DataType type, V &&visitor) {
  switch (type) {
  case DataType::Undefined:
    return false;
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class)                 \
  case DataType::Name:                                                         \
    if constexpr (Keep<DataType::Name>::value) {                               \
      visitor(TypeTag<CppType>{});                                             \
      return true;                                                             \
    }                                                                          \
    return false;
#include "onnxfold/widenum/DataTypes.def"
  }
  return false;
}

template <DataType> struct KeepAll { static constexpr bool value = true; };
template <DataType type> struct KeepNumeric {
  static constexpr bool value = isNumeric(type);
};
template <DataType type> struct KeepInteger {
  static constexpr bool value = isInteger(type) && !isSubByte(type);
};
template <DataType type> struct KeepFloat {
  static constexpr bool value = typeClass(type) == TypeClass::Float;
};
template <DataType type> struct KeepArithmetic {
  static constexpr bool value =
      KeepInteger<type>::value || KeepFloat<type>::value;
};
} // namespace detail

/// All types: String, Complex and Opaque too.
template <class V> bool visitType(DataType type, V &&visitor) {
  return detail::visitIf<detail::KeepAll>(type, visitor);
}

/// Integers and floats of every width (not bool).
template <class V> bool visitNumeric(DataType type, V &&visitor) {
  return detail::visitIf<detail::KeepNumeric>(type, visitor);
}

/// The types that ONNX has arithmetic on: integers of 8 to 64 bits, f16, bf16,
/// f32, f64.
template <class V> bool visitArithmetic(DataType type, V &&visitor) {
  return detail::visitIf<detail::KeepArithmetic>(type, visitor);
}

/// The integers of visitArithmetic: 8 to 64 bits, signed and unsigned.
template <class V> bool visitInteger(DataType type, V &&visitor) {
  return detail::visitIf<detail::KeepInteger>(type, visitor);
}

/// The floats of visitArithmetic: f16, bf16, f32, f64.
template <class V> bool visitFloat(DataType type, V &&visitor) {
  return detail::visitIf<detail::KeepFloat>(type, visitor);
}

/// The unsigned type of a width in bytes: uint8_t, uint16_t, uint32_t, uint64_t
/// or Bytes16.
template <class V> bool visitByteWidth(unsigned width, V &&visitor) {
  switch (width) {
  case 1:
    visitor(TypeTag<uint8_t>{});
    return true;
  case 2:
    visitor(TypeTag<uint16_t>{});
    return true;
  case 4:
    visitor(TypeTag<uint32_t>{});
    return true;
  case 8:
    visitor(TypeTag<uint64_t>{});
    return true;
  case 16:
    visitor(TypeTag<Bytes16>{});
    return true;
  default:
    return false;
  }
}

/// All types, represented by the unsigned type of their width, for data
/// movement.
template <class V> bool visitBytes(DataType type, V &&visitor) {
  return visitByteWidth(byteWidth(type), visitor);
}

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_DISPATCH_H
