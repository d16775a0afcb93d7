//===- ElementType.h - Element types at run time ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An ElementType has a number for each element type of MLIR's tensors, and the
// bits that an element takes in memory. The pass writes both into the metadata;
// programs name the types of the weights that they pass:
//
//   *elementTypeNamed("bf16")   elementTypeOf<float>()   elementName(type)
//
// The header needs the standard library only. Thread safety: types are plain
// values; any thread may use them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_ELEMENTTYPE_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_ELEMENTTYPE_H

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace onnxfold::tensorfolding {

/// Kinds of numbers; a kind and its bits are a type. The values of the
/// enumerators are part of the metadata's layout.
enum class ElementKind : uint32_t {
  Integer = 1, // signless: i1, i8
  Signed = 2,
  Unsigned = 3,
  Index = 4,
  Float = 5, // IEEE 754: f16, f32, f64, f128
  BF16 = 6,
  TF32 = 7,
  F80 = 8,
  F8E5M2 = 9,
  F8E4M3 = 10,
  F8E4M3FN = 11,
  F8E5M2FNUZ = 12,
  F8E4M3FNUZ = 13,
  F8E4M3B11FNUZ = 14,
  F8E3M4 = 15,
  F8E8M0FNU = 16,
  F6E2M3FN = 17,
  F6E3M2FN = 18,
  F4E2M1FN = 19,
};

struct ElementType {
  /// (kind << 16) | bits, with the highest bit for complex numbers of two such.
  uint32_t code = 0;
  /// The bits of one element in a buffer, which may be more than its own bits:
  /// compiled code stores an i1 or i4 in 8 bits. If it is less than 8, elements
  /// are packed without gaps, the first one in the lowest bits, and tensors of
  /// them are row-major.
  uint32_t storageBits = 0;

  ElementKind kind() const { return ElementKind(code >> 16 & 0x7fff); }
  bool isComplex() const { return code >> 31; }
  /// The bits of the number, or of one of the two parts of a complex number.
  uint32_t bits() const { return code & 0xffff; }

  bool operator==(const ElementType &) const = default;
};

/// The type with the storage that MLIR's lowering to LLVM gives it on x86-64
/// and AArch64: the least power of two of bytes that holds it, twice for
/// complex numbers.
ElementType elementType(ElementKind kind, uint32_t bits, bool complex = false);

/// The type that MLIR prints like this: "f32", "i4", "ui8", "index",
/// "f8E4M3FN", "complex<f64>". Nothing for other text.
std::optional<ElementType> elementTypeNamed(std::string_view name);

/// The type as MLIR prints it, followed by " (packed)" if elements are packed;
/// "an unknown type" for unknown codes.
std::string elementName(ElementType type);

/// Whether the code is a known kind with bits and storage that the kind allows.
bool isElementType(ElementType type);

/// The element type of the C++ type T: signless integers, float, double,
/// complex.
template <typename T> ElementType elementTypeOf() {
  if constexpr (std::is_integral_v<T>)
    return elementType(ElementKind::Integer,
                       std::is_same_v<T, bool> ? 1 : 8 * sizeof(T));
  else if constexpr (std::is_floating_point_v<T>)
    return elementType(ElementKind::Float, 8 * sizeof(T));
  else
    return elementType(ElementKind::Float, 8 * sizeof(typename T::value_type),
                       /*complex=*/true);
}

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_ELEMENTTYPE_H
