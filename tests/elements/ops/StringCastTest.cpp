//===- StringCastTest.cpp - Tensors of numbers from and to text -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// What single numbers look like is tested with widenum/Strings.h; here are
// shapes, views, types that store() narrows, and where a conversion stops.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/StringCast.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

static Elements strings(ShapeRef shape, std::vector<llvm::StringRef> texts) {
  return Elements::fromStrings(shape, texts);
}

TEST(StringCast, ParsesInRowMajorOrderOfTheView) {
  Elements x = strings({2, 2}, {"1", "-2.5", "3e1", "INF"}).transpose({1, 0});
  StringCast result = parseStrings(x, DataType::Float32);
  ASSERT_TRUE(result.value);
  EXPECT_EQ(result.value.shape(), ShapeRef({2, 2}));
  EXPECT_EQ(result.value.values<float>(),
            std::vector<float>({1, 30, -2.5, INFINITY}));
}

TEST(StringCast, ParsesToNarrowTypes) {
  StringCast small = parseStrings(strings({2}, {"-8", "7"}), DataType::Int4);
  ASSERT_TRUE(small.value);
  EXPECT_EQ(small.value.values<Int4>(), std::vector<Int4>({{-8}, {7}}));
  StringCast half = parseStrings(strings({1}, {"1"}), DataType::Float16);
  ASSERT_TRUE(half.value);
  EXPECT_EQ(half.value.value<Float16>().bits, 0x3c00);
}

// What was parsed without saturation was saturated when it was stored.
TEST(StringCast, ParsesToFloat8WithoutSaturation) {
  Elements texts = strings({2}, {"-inf", "1e9"});
  StringCast free =
      parseStrings(texts, DataType::Float8E5M2, {.saturate = false});
  ASSERT_TRUE(free.value);
  EXPECT_EQ(free.value.values<Float8E5M2>(),
            std::vector<Float8E5M2>({{0xfc}, {0x7c}}));
  StringCast saturated = parseStrings(texts, DataType::Float8E5M2);
  EXPECT_EQ(saturated.value.values<Float8E5M2>(),
            std::vector<Float8E5M2>({{0xfb}, {0x7b}}));
}

TEST(StringCast, NamesTheFirstElementThatIsNoNumber) {
  StringCast result =
      parseStrings(strings({3}, {"1", "x", "y"}), DataType::Int64);
  EXPECT_FALSE(result.value);
  EXPECT_EQ(result.bad, 1);
}

TEST(StringCast, FormatsAndReadsBack) {
  Elements x = Elements::fromValues<double>({2}, {0.1, -3});
  StringCast text = formatStrings(x);
  ASSERT_TRUE(text.value);
  EXPECT_EQ(text.value.value<llvm::StringRef>(0), "0.1");
  EXPECT_EQ(text.value.value<llvm::StringRef>(1), "-3.0");
  EXPECT_TRUE(parseStrings(text.value, DataType::Float64).value.identicalTo(x));
}

TEST(StringCast, NamesTheFirstElementWithoutText) {
  StringCast result =
      formatStrings(Elements::fromValues<float>({3}, {1, 2, NAN}));
  EXPECT_FALSE(result.value);
  EXPECT_EQ(result.bad, 2);
}

TEST(StringCast, EmptyTensors) {
  EXPECT_EQ(parseStrings(strings({0, 2}, {}), DataType::Bool).value.type(),
            DataType::Bool);
  EXPECT_EQ(formatStrings(Elements::fromValues<bool>({0}, {})).value.shape(),
            ShapeRef({0}));
}
