//===- DataType.h - The element types of tensors ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DataType names every element type that a tensor can have, and this file
// defines the C++ type, the widths and the properties of each of them. The list
// is DataTypes.def. Code that depends on the type at run time uses Dispatch.h,
// and conversions use Convert.h.
//
// In memory every element takes `byteWidth` whole bytes. The types narrower
// than a byte (Int4, UInt2, Float4E2M1, Float6E2M3 ...) are UNPACKED: one byte
// per element, the integers sign or zero extended, the floats in the low bits
// with zeros above. They are packed only in files (Packing.h). A bool is a byte
// that is 0 or 1; code that reads bytes from a file must normalise them.
//
// All C++ element types are trivially copyable. The float structs compare by
// bits (NaN == NaN, 0 != -0). A String element is an llvm::StringRef: the
// characters belong to the buffer that holds the element.
//
// Everything here is stateless and thread safe. Nothing reports errors: asking
// for a property of DataType::Undefined, or of a number that is not a type,
// returns 0 or false.
//
// Example:
//   DataType type = dataTypeOf<Float16>;     // DataType::Float16
//   byteWidth(DataType::Int4);               // 1, in memory
//   packedBytes(DataType::Int4, 3);          // 2, in a file
//   name(DataType::BFloat16);                // "bf16"
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_DATATYPE_H
#define ONNXFOLD_WIDENUM_DATATYPE_H

#include "llvm/ADT/StringRef.h"

#include <complex>
#include <cstdint>

namespace onnxfold {

/// An element type. The numbers are those of ONNX's TensorProto.DataType, so
/// that the ONNX layer needs no table. Opaque has no ONNX counterpart: it is a
/// 64-bit handle that is only stored and moved.
enum class DataType : uint8_t {
  Undefined = 0,
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class) Name = number,
#include "onnxfold/widenum/DataTypes.def"
};

/// The class of a type, which determines what can be done with it.
enum class TypeClass : uint8_t {
  None,       // not a type
  Bool,       //
  Signed,     // signed integers, the sub-byte ones included
  Unsigned,   // unsigned integers, the sub-byte ones included
  Float,      // f16, bf16, f32, f64: ONNX has arithmetic on them
  SmallFloat, // 8 bits and fewer: stored, moved and converted only
  Complex,
  String,
  Opaque,
};

/// Floats that C++ has no type for. `bits` has the pattern of the format in its
/// low bits. Code computes in ComputeType<T> (Convert.h).
#define ONNXFOLD_FLOAT_STRUCT(Name, Storage)                                   \
  struct Name {                                                                \
    Storage bits;                                                              \
    friend constexpr bool operator==(Name, Name) = default;                    \
  };
ONNXFOLD_FLOAT_STRUCT(Float16, uint16_t)       // IEEE binary16
ONNXFOLD_FLOAT_STRUCT(BFloat16, uint16_t)      // the upper half of a float
ONNXFOLD_FLOAT_STRUCT(Float8E4M3FN, uint8_t)   // no infinity, NaN 0x7f, 0xff
ONNXFOLD_FLOAT_STRUCT(Float8E4M3FNUZ, uint8_t) // no infinity, no -0, NaN 0x80
ONNXFOLD_FLOAT_STRUCT(Float8E5M2, uint8_t)     // as IEEE
ONNXFOLD_FLOAT_STRUCT(Float8E5M2FNUZ, uint8_t) // no infinity, no -0, NaN 0x80
ONNXFOLD_FLOAT_STRUCT(Float8E8M0, uint8_t)     // 2^(bits - 127), NaN 0xff
ONNXFOLD_FLOAT_STRUCT(Float6E2M3, uint8_t)     // no infinity, no NaN
ONNXFOLD_FLOAT_STRUCT(Float6E3M2, uint8_t)     // no infinity, no NaN
ONNXFOLD_FLOAT_STRUCT(Float4E2M1, uint8_t)     // no infinity, no NaN
#undef ONNXFOLD_FLOAT_STRUCT

/// Integers narrower than a byte: `value` is the number itself, always within
/// the range of the type.
#define ONNXFOLD_INTEGER_STRUCT(Name, Storage)                                 \
  struct Name {                                                                \
    Storage value;                                                             \
    friend constexpr bool operator==(Name, Name) = default;                    \
  };
ONNXFOLD_INTEGER_STRUCT(UInt4, uint8_t) // 0 to 15
ONNXFOLD_INTEGER_STRUCT(Int4, int8_t)   // -8 to 7
ONNXFOLD_INTEGER_STRUCT(UInt2, uint8_t) // 0 to 3
ONNXFOLD_INTEGER_STRUCT(Int2, int8_t)   // -2 to 1
#undef ONNXFOLD_INTEGER_STRUCT

/// 64 bits that are only moved. The layers above define their meaning.
struct Opaque64 {
  int64_t id;
  friend constexpr bool operator==(Opaque64, Opaque64) = default;
};

/// The DataType of a C++ element type. Any other type does not compile.
template <class T> inline constexpr DataType dataTypeOf = T::isNoElementType;
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class)                 \
  template <> inline constexpr DataType dataTypeOf<CppType> = DataType::Name;
#include "onnxfold/widenum/DataTypes.def"

/// Width of one element in a file, in bits: 4 for Int4, 0 for String.
constexpr unsigned bitWidth(DataType type) {
  switch (type) {
  case DataType::Undefined:
    return 0;
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class)                 \
  case DataType::Name:                                                         \
    return bits;
#include "onnxfold/widenum/DataTypes.def"
  }
  return 0;
}

/// Width of one element in memory, in bytes: sizeof the C++ type, 1 for Int4.
constexpr unsigned byteWidth(DataType type) {
  switch (type) {
  case DataType::Undefined:
    return 0;
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class)                 \
  case DataType::Name:                                                         \
    return sizeof(CppType);
#include "onnxfold/widenum/DataTypes.def"
  }
  return 0;
}

constexpr TypeClass typeClass(DataType type) {
  switch (type) {
  case DataType::Undefined:
    return TypeClass::None;
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class)                 \
  case DataType::Name:                                                         \
    return TypeClass::Class;
#include "onnxfold/widenum/DataTypes.def"
  }
  return TypeClass::None;
}

/// Whether `number` is the number of a type: one of TensorProto.DataType other
/// than 0, or that of Opaque.
constexpr bool isDataType(int64_t number) {
  return number > 0 && number < 256 &&
         typeClass(static_cast<DataType>(number)) != TypeClass::None;
}

/// Bytes that `count` elements take in a file; the last byte of a sub-byte
/// type may be partly used. -1 if `type` has no fixed width (String) or is not
/// a type, if `count` is negative, or if the result does not fit 63 bits.
int64_t packedBytes(DataType type, int64_t count);

/// Short name: f32, i64, u8, bool, bf16, f16, f8E4M3FN, u4, str, c64, sym;
/// "undefined" for a number that is not a type.
llvm::StringRef name(DataType type);

/// Every float, the small ones included.
constexpr bool isFloat(DataType type) {
  TypeClass c = typeClass(type);
  return c == TypeClass::Float || c == TypeClass::SmallFloat;
}
/// Signed and unsigned integers of every width; not bool.
constexpr bool isInteger(DataType type) {
  TypeClass c = typeClass(type);
  return c == TypeClass::Signed || c == TypeClass::Unsigned;
}
/// Signed integers; not floats.
constexpr bool isSigned(DataType type) {
  return typeClass(type) == TypeClass::Signed;
}
/// Unsigned integers; not bool.
constexpr bool isUnsigned(DataType type) {
  return typeClass(type) == TypeClass::Unsigned;
}
/// Integers and floats of 2, 4 and 6 bits, which are packed in files.
constexpr bool isSubByte(DataType type) {
  return bitWidth(type) != 0 && bitWidth(type) < 8;
}
constexpr bool isComplex(DataType type) {
  return typeClass(type) == TypeClass::Complex;
}
/// Integers and floats; not bool, complex, String or Opaque.
constexpr bool isNumeric(DataType type) {
  return isInteger(type) || isFloat(type);
}

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_DATATYPE_H
