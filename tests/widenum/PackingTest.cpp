//===- PackingTest.cpp - Sub-byte elements in files -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/Packing.h"

#include <gmock/gmock.h>

#include <vector>

using namespace onnxfold;
using ::testing::ElementsAre;

namespace {

template <class... Bytes> std::vector<uint8_t> bytes(Bytes... values) {
  return {static_cast<uint8_t>(values)...};
}

std::vector<uint8_t> unpacked(DataType type, std::vector<uint8_t> packed,
                              size_t first, size_t count) {
  std::vector<uint8_t> out(count, 0xaa);
  unpack(type, packed.data(), out.data(), first, count);
  return out;
}

std::vector<uint8_t> packed(DataType type, std::vector<uint8_t> elements) {
  std::vector<uint8_t> out(packedBytes(type, elements.size()), 0xaa);
  pack(type, elements.data(), out.data(), elements.size());
  return out;
}

TEST(Packing, FirstElementInTheLowBits) {
  EXPECT_EQ(unpacked(DataType::UInt4, bytes(0x21, 0xf3), 0, 3), bytes(1, 2, 3));
  EXPECT_EQ(unpacked(DataType::Int4, bytes(0x8f, 0x07), 0, 3),
            bytes(-1, -8, 7));
  EXPECT_EQ(unpacked(DataType::UInt2, bytes(0b11100100), 0, 4),
            bytes(0, 1, 2, 3));
  EXPECT_EQ(unpacked(DataType::Int2, bytes(0b11100100, 0b10), 0, 5),
            bytes(0, 1, -2, -1, -2));
  EXPECT_EQ(unpacked(DataType::Float4E2M1, bytes(0xf8), 0, 2), bytes(8, 15));
  // 6 bits: 0x01, 0x3f, 0x20, 0x15 as four in three bytes
  EXPECT_EQ(unpacked(DataType::Float6E2M3, bytes(0xc1, 0x0f, 0x56), 0, 4),
            bytes(0x01, 0x3f, 0x20, 0x15));
}

TEST(Packing, UnusedBitsAreWrittenAsZero) {
  EXPECT_EQ(packed(DataType::Int4, bytes(-1, -8, 7)), bytes(0x8f, 0x07));
  EXPECT_EQ(packed(DataType::UInt2, bytes(0, 1, 2, 3, 3)),
            bytes(0b11100100, 0b11));
  EXPECT_EQ(packed(DataType::Float6E3M2, bytes(0x3f)), bytes(0x3f));
  EXPECT_EQ(packed(DataType::Float6E3M2, bytes(0x3f, 0x3f, 0x01)),
            bytes(0xff, 0x1f, 0x00));
}

TEST(Packing, NothingIsTouchedForNoElements) {
  unpack(DataType::Int4, nullptr, nullptr, 5, 0);
  pack(DataType::Int4, nullptr, nullptr, 0);
}

/// Every start and length, against a walk over single bits.
TEST(Packing, EveryRangeOfEveryType) {
  std::vector<uint8_t> file(24);
  uint32_t state = 7;
  for (uint8_t &byte : file)
    byte = (state = state * 1664525 + 1013904223) >> 24;
  for (DataType type :
       {DataType::UInt4, DataType::Int4, DataType::Float4E2M1, DataType::UInt2,
        DataType::Int2, DataType::Float6E2M3, DataType::Float6E3M2}) {
    SCOPED_TRACE(name(type).str());
    unsigned width = bitWidth(type);
    std::vector<uint8_t> all;
    for (size_t i = 0; i < file.size() * 8 / width; ++i) {
      int value = 0;
      for (unsigned j = 0; j < width; ++j)
        value |= (file[(i * width + j) / 8] >> ((i * width + j) % 8) & 1) << j;
      if (isSigned(type) && value >= 1 << (width - 1))
        value -= 1 << width;
      all.push_back(static_cast<uint8_t>(value));
    }
    for (size_t first = 0; first <= all.size(); ++first)
      for (size_t count = 0; first + count <= all.size(); ++count)
        ASSERT_EQ(unpacked(type, file, first, count),
                  std::vector<uint8_t>(all.begin() + first,
                                       all.begin() + first + count))
            << first << " " << count;
    for (size_t count = 0; count <= all.size(); ++count) {
      std::vector<uint8_t> part(all.begin(), all.begin() + count);
      ASSERT_EQ(unpacked(type, packed(type, part), 0, count), part);
    }
    EXPECT_EQ(packed(type, all), file);
  }
}

/// The bytes that are read are the ones that hold the elements: a sanitizer
/// build fails here otherwise.
TEST(Packing, ReadsNoByteTooMany) {
  std::vector<uint8_t> file(3, 0x5a);
  file.shrink_to_fit();
  EXPECT_EQ(unpacked(DataType::Float6E2M3, file, 3, 1).size(), 1u);
  EXPECT_EQ(unpacked(DataType::Int4, file, 5, 1).size(), 1u);
}

} // namespace
