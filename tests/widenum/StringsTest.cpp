//===- StringsTest.cpp - Numbers as text ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/Strings.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace onnxfold;

namespace {

template <class T> std::optional<T> parse(llvm::StringRef text) {
  auto number = parseNumber(text, dataTypeOf<T>);
  if (!number)
    return std::nullopt;
  return number->template to<T>();
}

template <class T> std::string format(T x) {
  return formatNumber(dataTypeOf<T>, &x).value_or("(undefined)");
}

TEST(ParseNumber, Floats) {
  EXPECT_EQ(parse<float>("3.14"), 3.14f);
  EXPECT_EQ(parse<float>("1000"), 1000.0f);
  EXPECT_EQ(parse<double>("1e-5"), 1e-5);
  EXPECT_EQ(parse<double>("+1E8"), 1e8);
  EXPECT_EQ(parse<double>("-.5"), -0.5);
  EXPECT_EQ(parse<double>("5."), 5.0);
  EXPECT_EQ(parse<float>("0.47892547"), 0.47892547f);
  EXPECT_TRUE(std::signbit(*parse<float>("-0")));
  EXPECT_EQ(parse<double>("1e999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse<float>("-1e39"), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(parse<double>("1e-999"), 0.0);
  EXPECT_EQ(parse<double>("1e99999999999999999999"),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse<double>("5e-324"), 5e-324);
}

TEST(ParseNumber, SpecialNamesInAnyCase) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const char *text : {"INF", "inf", "+INF", "+Inf"})
    EXPECT_EQ(parse<float>(text), infinity) << text;
  EXPECT_EQ(parse<float>("-iNf"), -infinity);
  for (const char *text : {"NaN", "nan", "NAN"})
    EXPECT_TRUE(std::isnan(*parse<float>(text))) << text;
}

// 1 + 2^-24 is a tie for float; the digits at the end of the text break it and
// are beyond the precision of double.
TEST(ParseNumber, RoundsOnce) {
  std::string tie = "1.000000059604644775390625";
  EXPECT_EQ(parse<float>(tie), 1.0f);
  EXPECT_EQ(parse<float>(tie + "00000001"), 1.0f + 0x1p-23f);
  EXPECT_EQ(parse<Float16>("1.00048828125")->bits, 0x3c00);
  EXPECT_EQ(parse<Float16>("1.000488281250000000000000001")->bits, 0x3c01);
  EXPECT_EQ(parse<BFloat16>("1.003906250000000000000000001")->bits, 0x3f81);
  EXPECT_EQ(parse<Float16>("65519.999999999999999999")->bits, 0x7bff);
  EXPECT_EQ(parse<Float16>("65520")->bits, 0x7c00);
  EXPECT_EQ(parse<float>("1e-46"), 0.0f);
  EXPECT_EQ(parse<Float8E4M3FN>("1e9")->bits, 0x7e);
}

TEST(ParseNumber, Integers) {
  EXPECT_EQ(parse<int32_t>("1000"), 1000);
  EXPECT_EQ(parse<int32_t>("+7"), 7);
  EXPECT_EQ(parse<int8_t>("-128"), -128);
  EXPECT_EQ(parse<int8_t>("-129"), std::nullopt);
  EXPECT_EQ(parse<int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parse<int64_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse<uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse<uint64_t>("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse<uint8_t>("-0"), 0);
  EXPECT_EQ(parse<uint8_t>("-1"), std::nullopt);
  EXPECT_EQ(parse<UInt4>("16"), std::nullopt);
  EXPECT_EQ(parse<Int4>("-8"), Int4{-8});
}

TEST(ParseNumber, EverythingElseIsUndefined) {
  for (const char *text : {"",      "+",      "-",        ".",
                           "e5",    "1e",     "1e+",      "Hello World!",
                           " 1",    "1 ",     "1,5",      "0x10",
                           "1_000", "nan(1)", "infinity", "+-1",
                           "--1",   "1.2.3",  "1e5.0",    "-nan"})
    EXPECT_EQ(parse<float>(text), std::nullopt) << text;
  for (const char *text :
       {"", "+", "2.718", "1e3", "0x10", " 1", "+-1", "1.", "NaN", "INF"})
    EXPECT_EQ(parse<int64_t>(text), std::nullopt) << text;
  EXPECT_EQ(parseNumber(llvm::StringRef("1\0", 2), DataType::Float32),
            std::nullopt);
  EXPECT_EQ(parseNumber("1", DataType::Bool), std::nullopt);
  EXPECT_EQ(parseNumber("1", DataType::Complex64), std::nullopt);
  EXPECT_EQ(parseNumber(std::string(5000, '1'), DataType::Float64),
            std::nullopt);
  EXPECT_TRUE(parseNumber(std::string(4096, '1'), DataType::Float64));
}

TEST(FormatNumber, Integers) {
  EXPECT_EQ(format(INT64_MIN + 0L), "-9223372036854775808");
  EXPECT_EQ(format(uint64_t(UINT64_MAX)), "18446744073709551615");
  EXPECT_EQ(format(int8_t(65)), "65");
  EXPECT_EQ(format(Int4{-3}), "-3");
}

TEST(FormatNumber, ShortestThatReadsBack) {
  EXPECT_EQ(format(0.039187793f), "0.039187793"); // stored in ONNX 1.18
  EXPECT_EQ(format(314.15926), "314.15926");      // Cast's documentation
  EXPECT_EQ(format(1.0f), "1.0");
  EXPECT_EQ(format(0.1), "0.1");
  EXPECT_EQ(format(0.1f), "0.1");
  EXPECT_EQ(format(-0.0), "-0.0");
  EXPECT_EQ(format(0.0f), "0.0");
  EXPECT_EQ(format(-2.5f), "-2.5");
  EXPECT_EQ(format(100.0), "100.0");
  EXPECT_EQ(format(16777216.0f), "16777216.0");
  EXPECT_EQ(format(9007199254740993.0), "9007199254740992.0");
  EXPECT_EQ(format(0.0001), "0.0001");
  EXPECT_EQ(format(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(format(convert<Float16>(0.1)), "0.1");
  EXPECT_EQ(format(Float16{0x7bff}), "65500.0");
  EXPECT_EQ(format(convert<Float16>(1.0 / 3)), "0.3333");
  EXPECT_EQ(format(convert<Float16>(0.015625)), "0.01563");
}

TEST(FormatNumber, WhatNothingPinsDownIsUndefined) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double x : {infinity, -infinity, std::nan(""), 1e16, 9.9e-5, -1e300})
    EXPECT_EQ(format(x), "(undefined)");
  EXPECT_EQ(format(1e-4f), "(undefined)"); // a float just below
  EXPECT_EQ(format(BFloat16{0x3f80}), "(undefined)");
  EXPECT_EQ(format(Float8E5M2{0x3c}), "(undefined)");
  EXPECT_EQ(format(true), "(undefined)");
  EXPECT_EQ(format(std::complex<float>(1, 2)), "(undefined)");
}

TEST(FormatNumber, ReadsBack) {
  uint32_t state = 99;
  for (int i = 0; i < 20000; ++i) {
    state = state * 1664525 + 1013904223;
    auto x = std::bit_cast<float>(state);
    if (auto text = formatNumber(DataType::Float32, &x)) {
      ASSERT_EQ(parse<float>(*text), x) << *text;
      ASSERT_EQ(text->find_first_not_of("-.0123456789"), std::string::npos);
    }
  }
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    Float16 x{uint16_t(bits)};
    if (auto text = formatNumber(DataType::Float16, &x)) {
      ASSERT_EQ(parse<Float16>(*text), x) << *text;
    }
  }
}

} // namespace
