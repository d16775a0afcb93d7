//===- DataType.cpp - Names and sizes of element types --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/DataType.h"

#include <array>
#include <limits>
#include <string_view>

using namespace onnxfold;

namespace {

/// The enumerator's name with its family shortened: BFloat16 -> bf16.
struct ShortName {
  std::array<char, 24> text{};
  size_t size = 0;

  constexpr explicit ShortName(std::string_view longName) {
    constexpr std::pair<std::string_view, std::string_view> families[] = {
        {"BFloat", "bf"},  {"Float", "f"},   {"UInt", "u"},
        {"Int", "i"},      {"Complex", "c"}, {"String", "str"},
        {"Opaque", "sym"}, {"Bool", "bool"}};
    for (auto [family, letters] : families)
      if (longName.starts_with(family)) {
        append(letters);
        append(longName.substr(family.size()));
        return;
      }
  }

  constexpr void append(std::string_view part) {
    for (char c : part)
      text[size++] = c;
  }
};

#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class)                 \
  constexpr ShortName shortNameOf##Name(#Name);
#include "onnxfold/widenum/DataTypes.def"

} // namespace

llvm::StringRef onnxfold::name(DataType type) {
  switch (type) {
  case DataType::Undefined:
    break;
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class)                 \
  case DataType::Name:                                                         \
    return {shortNameOf##Name.text.data(), shortNameOf##Name.size};
#include "onnxfold/widenum/DataTypes.def"
  }
  return "undefined";
}

int64_t onnxfold::packedBytes(DataType type, int64_t count) {
  int64_t bits = bitWidth(type);
  if (bits == 0 || count < 0)
    return -1;
  // Whole bytes first: count * bits would overflow for counts that are fine.
  int64_t whole = count / 8, rest = count % 8;
  int64_t tail = (rest * bits + 7) / 8;
  if (whole > (std::numeric_limits<int64_t>::max() - tail) / bits)
    return -1;
  return whole * bits + tail;
}
