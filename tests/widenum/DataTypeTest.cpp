//===- DataTypeTest.cpp - Properties and dispatch of element types --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/DataType.h"
#include "onnxfold/widenum/Dispatch.h"

#include <gtest/gtest.h>

#include <set>

using namespace onnxfold;

namespace {

std::vector<DataType> allTypes() {
  return {
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class) DataType::Name,
#include "onnxfold/widenum/DataTypes.def"
  };
}

TEST(DataType, NumbersAreThoseOfTensorProto) {
  EXPECT_EQ(int(DataType::Float32), 1);
  EXPECT_EQ(int(DataType::String), 8);
  EXPECT_EQ(int(DataType::Float64), 11);
  EXPECT_EQ(int(DataType::Complex128), 15);
  EXPECT_EQ(int(DataType::Float8E5M2FNUZ), 20);
  EXPECT_EQ(int(DataType::Int2), 26);
  EXPECT_EQ(int(DataType::Float6E3M2), 28);
  EXPECT_TRUE(isDataType(1) && isDataType(28) && isDataType(64));
  EXPECT_FALSE(isDataType(0) || isDataType(29) || isDataType(-1) ||
               isDataType(256 + 1));
}

TEST(DataType, Names) {
  EXPECT_EQ(name(DataType::Float32), "f32");
  EXPECT_EQ(name(DataType::Float16), "f16");
  EXPECT_EQ(name(DataType::BFloat16), "bf16");
  EXPECT_EQ(name(DataType::Int64), "i64");
  EXPECT_EQ(name(DataType::UInt8), "u8");
  EXPECT_EQ(name(DataType::UInt4), "u4");
  EXPECT_EQ(name(DataType::Bool), "bool");
  EXPECT_EQ(name(DataType::Float8E4M3FN), "f8E4M3FN");
  EXPECT_EQ(name(DataType::Complex64), "c64");
  EXPECT_EQ(name(DataType::String), "str");
  EXPECT_EQ(name(DataType::Undefined), "undefined");
  EXPECT_EQ(name(static_cast<DataType>(200)), "undefined");
  std::set<std::string> names;
  for (DataType type : allTypes())
    names.insert(name(type).str());
  EXPECT_EQ(names.size(), allTypes().size());
}

TEST(DataType, WidthsInMemoryAndInFiles) {
  EXPECT_EQ(bitWidth(DataType::Int4), 4u);
  EXPECT_EQ(byteWidth(DataType::Int4), 1u);
  EXPECT_EQ(byteWidth(DataType::Float6E2M3), 1u);
  EXPECT_EQ(byteWidth(DataType::Bool), 1u);
  EXPECT_EQ(bitWidth(DataType::Bool), 8u);
  EXPECT_EQ(byteWidth(DataType::String), 16u);
  EXPECT_EQ(byteWidth(DataType::Complex128), 16u);
  EXPECT_EQ(byteWidth(DataType::Opaque), 8u);
  EXPECT_EQ(byteWidth(DataType::Undefined), 0u);
  for (DataType type : allTypes())
    if (type != DataType::String && !isSubByte(type)) {
      EXPECT_EQ(bitWidth(type), 8 * byteWidth(type)) << name(type).str();
    }
}

TEST(DataType, PackedBytes) {
  EXPECT_EQ(packedBytes(DataType::Int4, 0), 0);
  EXPECT_EQ(packedBytes(DataType::Int4, 3), 2);
  EXPECT_EQ(packedBytes(DataType::UInt2, 5), 2);
  EXPECT_EQ(packedBytes(DataType::Float6E3M2, 5), 4); // 30 bits
  EXPECT_EQ(packedBytes(DataType::Float32, 7), 28);
  EXPECT_EQ(packedBytes(DataType::String, 1), -1);
  EXPECT_EQ(packedBytes(DataType::Undefined, 1), -1);
  EXPECT_EQ(packedBytes(DataType::Float32, -1), -1);
  // The number of bits overflows, that of bytes does not; then both do.
  int64_t huge = int64_t(1) << 61;
  EXPECT_EQ(packedBytes(DataType::Int4, huge), huge / 2);
  EXPECT_EQ(packedBytes(DataType::Int8, INT64_MAX), INT64_MAX);
  EXPECT_EQ(packedBytes(DataType::Float32, huge), -1);
}

TEST(DataType, Predicates) {
  for (DataType type : allTypes()) {
    SCOPED_TRACE(name(type).str());
    EXPECT_EQ(isInteger(type), isSigned(type) || isUnsigned(type));
    EXPECT_EQ(isNumeric(type), isInteger(type) || isFloat(type));
    EXPECT_FALSE(isNumeric(type) && isComplex(type));
  }
  EXPECT_FALSE(isInteger(DataType::Bool) || isNumeric(DataType::Bool));
  EXPECT_FALSE(isNumeric(DataType::String) || isNumeric(DataType::Opaque));
  EXPECT_TRUE(isFloat(DataType::Float8E8M0) && isFloat(DataType::BFloat16));
  EXPECT_TRUE(isSubByte(DataType::Float6E2M3) && isSubByte(DataType::Int2));
  EXPECT_FALSE(isSubByte(DataType::String) || isSubByte(DataType::Int8));
}

TEST(DataType, ElementTypesAreTriviallyCopyable) {
#define ONNXFOLD_DATA_TYPE(Name, CppType, number, bits, Class)                 \
  static_assert(std::is_trivially_copyable_v<CppType>);                        \
  static_assert(dataTypeOf<CppType> == DataType::Name);
#include "onnxfold/widenum/DataTypes.def"
}

/// How many types a visit function takes; also that it takes each as itself.
template <class Visit> unsigned countVisited(Visit visit) {
  unsigned visited = 0;
  for (int number = 0; number < 256; ++number) {
    auto type = static_cast<DataType>(number);
    bool called = false;
    bool result = visit(type, [&](auto tag) {
      called = true;
      EXPECT_EQ(dataTypeOf<typename decltype(tag)::type>, type);
    });
    EXPECT_EQ(result, called);
    visited += called;
  }
  return visited;
}

TEST(Dispatch, EveryClassTakesItsTypes) {
  auto count = [](auto visit) { return countVisited(visit); };
  EXPECT_EQ(count([](DataType t, auto v) { return visitType(t, v); }), 29u);
  // 12 integers and 12 floats.
  EXPECT_EQ(count([](DataType t, auto v) { return visitNumeric(t, v); }), 24u);
  EXPECT_EQ(count([](DataType t, auto v) { return visitArithmetic(t, v); }),
            12u);
  EXPECT_EQ(count([](DataType t, auto v) { return visitInteger(t, v); }), 8u);
  EXPECT_EQ(count([](DataType t, auto v) { return visitFloat(t, v); }), 4u);
}

TEST(Dispatch, BytesGoByWidth) {
  for (DataType type : allTypes()) {
    size_t width = 0;
    EXPECT_TRUE(visitBytes(
        type, [&](auto tag) { width = sizeof(typename decltype(tag)::type); }));
    EXPECT_EQ(width, byteWidth(type)) << name(type).str();
  }
  EXPECT_FALSE(visitBytes(DataType::Undefined, [](auto) { FAIL(); }));
}

} // namespace
