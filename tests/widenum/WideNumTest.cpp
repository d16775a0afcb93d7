//===- WideNumTest.cpp - One number of any element type -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/WideNum.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

using namespace onnxfold;

namespace {

template <class T> WideNum wide(T x) { return WideNum::widen(x); }

TEST(WideNum, KindsOfTypes) {
  EXPECT_EQ(wideKindOf(DataType::Float8E8M0), WideKind::Double);
  EXPECT_EQ(wideKindOf(DataType::Int4), WideKind::Int64);
  EXPECT_EQ(wideKindOf(DataType::UInt64), WideKind::UInt64);
  EXPECT_EQ(wideKindOf(DataType::Bool), WideKind::UInt64);
  EXPECT_FALSE(hasWideKind(DataType::Complex64));
  EXPECT_FALSE(hasWideKind(DataType::Opaque));
}

TEST(WideNum, HoldsEveryElementWithoutLoss) {
  auto roundTrips = [](auto element) {
    using T = decltype(element);
    constexpr DataType type = dataTypeOf<T>;
    // Unaligned on purpose.
    char data[1 + sizeof(T)], copy[1 + sizeof(T)];
    std::memcpy(data + 1, &element, sizeof(T));
    WideNum number = WideNum::from(type, data + 1);
    number.store(type, copy + 1);
    EXPECT_EQ(number.kind, wideKindOf(type));
    return std::memcmp(data + 1, copy + 1, sizeof(T)) == 0 &&
           number.to<T>() == element;
  };
  EXPECT_TRUE(roundTrips(std::numeric_limits<uint64_t>::max()));
  EXPECT_TRUE(roundTrips(std::numeric_limits<int64_t>::min()));
  EXPECT_TRUE(roundTrips(int8_t(-128)));
  EXPECT_TRUE(roundTrips(uint16_t(65535)));
  EXPECT_TRUE(roundTrips(5e-324));
  EXPECT_TRUE(roundTrips(-0.0f));
  EXPECT_TRUE(roundTrips(Float16{1}));
  EXPECT_TRUE(roundTrips(BFloat16{0xff7f}));
  EXPECT_TRUE(roundTrips(Float8E5M2FNUZ{0xff}));
  EXPECT_TRUE(roundTrips(Float8E8M0{0}));
  EXPECT_TRUE(roundTrips(Float4E2M1{0xf}));
  EXPECT_TRUE(roundTrips(Int4{-8}));
  EXPECT_TRUE(roundTrips(UInt2{3}));
  EXPECT_TRUE(roundTrips(true));
}

TEST(WideNum, AnyNonZeroByteIsTrue) {
  uint8_t byte = 2;
  EXPECT_EQ(WideNum::from(DataType::Bool, &byte), wide(true));
}

TEST(WideNum, StoreRoundsAndWraps) {
  Float16 half;
  wide(1 + 0x1p-11 + 0x1p-40).store(DataType::Float16, &half);
  EXPECT_EQ(half.bits, 0x3c01);
  int8_t small;
  wide(300).store(DataType::Int8, &small);
  EXPECT_EQ(small, 44);
  Float8E4M3FN tiny;
  wide(1e9).store(DataType::Float8E4M3FN, &tiny, {.saturate = false});
  EXPECT_EQ(tiny.bits, 0x7f);
  EXPECT_EQ(wide(UINT64_MAX).to<float>(), 0x1p64f);
}

TEST(WideNum, Fits) {
  EXPECT_TRUE(wide(255).fits(DataType::UInt8));
  EXPECT_FALSE(wide(256).fits(DataType::UInt8));
  EXPECT_FALSE(wide(-1).fits(DataType::UInt64));
  EXPECT_TRUE(wide(-8.5).fits(DataType::Int4));
  EXPECT_FALSE(wide(0x1p63).fits(DataType::Int64));
  EXPECT_TRUE(wide(1e300).fits(DataType::Float16));
}

TEST(WideNum, ComparesExactlyAcrossKinds) {
  int64_t beyond = (int64_t(1) << 53) + 1;
  EXPECT_GT(wide(beyond), wide(0x1p53));
  EXPECT_LT(wide(0x1p53), wide(beyond));
  EXPECT_NE(wide(beyond), wide(0x1p53));
  EXPECT_EQ(wide(int64_t(1) << 53), wide(0x1p53));
  EXPECT_LT(wide(-1), wide(UINT64_MAX));
  EXPECT_EQ(wide(7), wide(uint8_t(7)));
  EXPECT_GT(wide(UINT64_MAX), wide(INT64_MAX));
  EXPECT_LT(wide(UINT64_MAX), wide(0x1p64));
  EXPECT_EQ(wide(INT64_MIN), wide(-0x1p63));
  EXPECT_LT(wide(-0.5), wide(0u));
  EXPECT_GT(wide(0.5), wide(0));
  EXPECT_LT(wide(-1.5), wide(-1));
  EXPECT_EQ(wide(-0.0), wide(0));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_LT(wide(-infinity), wide(INT64_MIN));
  EXPECT_GT(wide(infinity), wide(UINT64_MAX));
}

TEST(WideNum, NaNIsUnordered) {
  WideNum nan = wide(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(nan.isNaN());
  EXPECT_FALSE(nan == nan);
  EXPECT_FALSE(nan < wide(0) || nan > wide(0) || nan == wide(0));
  EXPECT_FALSE(wide(1u) < nan || wide(1u) >= nan);
}

} // namespace
