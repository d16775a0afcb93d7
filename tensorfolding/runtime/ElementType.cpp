//===- ElementType.cpp - Element types at run time ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/ElementType.h"

#include <bit>
#include <charconv>

namespace onnxfold::tensorfolding {

namespace {
/// A type whose name is not its kind's letters and its bits.
struct NamedType {
  std::string_view name;
  ElementKind kind;
  uint32_t bits;
};
} // namespace

static constexpr NamedType namedTypes[] = {
    {"index", ElementKind::Index, 64},
    {"bf16", ElementKind::BF16, 16},
    {"tf32", ElementKind::TF32, 19},
    {"f80", ElementKind::F80, 80},
    {"f8E5M2", ElementKind::F8E5M2, 8},
    {"f8E4M3", ElementKind::F8E4M3, 8},
    {"f8E4M3FN", ElementKind::F8E4M3FN, 8},
    {"f8E5M2FNUZ", ElementKind::F8E5M2FNUZ, 8},
    {"f8E4M3FNUZ", ElementKind::F8E4M3FNUZ, 8},
    {"f8E4M3B11FNUZ", ElementKind::F8E4M3B11FNUZ, 8},
    {"f8E3M4", ElementKind::F8E3M4, 8},
    {"f8E8M0FNU", ElementKind::F8E8M0FNU, 8},
    {"f6E2M3FN", ElementKind::F6E2M3FN, 6},
    {"f6E3M2FN", ElementKind::F6E3M2FN, 6},
    {"f4E2M1FN", ElementKind::F4E2M1FN, 4},
};

/// The letters before the bits: longer ones first, as names are matched.
static constexpr NamedType families[] = {
    {"si", ElementKind::Signed, 0},
    {"ui", ElementKind::Unsigned, 0},
    {"i", ElementKind::Integer, 0},
    {"f", ElementKind::Float, 0},
};

/// Whether the kind has a type of that many bits.
static bool hasBits(ElementKind kind, uint32_t bits) {
  switch (kind) {
  case ElementKind::Integer:
  case ElementKind::Signed:
  case ElementKind::Unsigned:
    return bits > 0 && bits <= 0x4000;
  case ElementKind::Float:
    return bits == 16 || bits == 32 || bits == 64 || bits == 128;
  default:
    for (const NamedType &type : namedTypes)
      if (type.kind == kind)
        return bits == type.bits;
    return false;
  }
}

ElementType elementType(ElementKind kind, uint32_t bits, bool complex) {
  uint32_t storage = 8 * std::bit_ceil((bits + 7) / 8);
  return {uint32_t(complex) << 31 | uint32_t(kind) << 16 | bits,
          complex ? 2 * storage : storage};
}

bool isElementType(ElementType type) {
  if (!hasBits(type.kind(), type.bits()))
    return false;
  uint32_t needed = type.isComplex() ? 2 * type.bits() : type.bits();
  if (type.storageBits < 8) // packed: no gaps, and none across bytes
    return type.storageBits == needed && std::has_single_bit(needed);
  return type.storageBits >= needed && type.storageBits % 8 == 0 &&
         type.storageBits <= 0x10000;
}

std::optional<ElementType> elementTypeNamed(std::string_view name) {
  bool complex = name.starts_with("complex<") && name.ends_with(">");
  if (complex)
    name = name.substr(8, name.size() - 9);
  for (const NamedType &type : namedTypes)
    if (type.name == name)
      return elementType(type.kind, type.bits, complex);
  for (const NamedType &family : families) {
    if (!name.starts_with(family.name))
      continue;
    const char *digits = name.data() + family.name.size();
    const char *end = name.data() + name.size();
    uint32_t bits = 0;
    auto [stop, failed] = std::from_chars(digits, end, bits);
    if (failed != std::errc() || stop != end || !hasBits(family.kind, bits))
      return std::nullopt;
    return elementType(family.kind, bits, complex);
  }
  return std::nullopt;
}

static std::string nameOfNumber(ElementKind kind, uint32_t bits) {
  for (const NamedType &type : namedTypes)
    if (type.kind == kind)
      return std::string(type.name);
  for (const NamedType &family : families)
    if (family.kind == kind)
      return std::string(family.name) + std::to_string(bits);
  return "";
}

std::string elementName(ElementType type) {
  if (!isElementType(type))
    return "an unknown type";
  std::string name = nameOfNumber(type.kind(), type.bits());
  if (type.isComplex())
    name = "complex<" + name + ">";
  return type.storageBits < 8 ? name + " (packed)" : name;
}

} // namespace onnxfold::tensorfolding
