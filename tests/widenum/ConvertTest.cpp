//===- ConvertTest.cpp - Conversions of single elements -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// llvm::APFloat is the oracle, see TestTypes.h.
//
//===----------------------------------------------------------------------===//

#include "TestTypes.h"

#include "llvm/ADT/APSInt.h"

#include <bit>

using namespace onnxfold;
using namespace onnxfold::test;
using llvm::APFloat;

namespace {

constexpr CastOptions noSaturation{.saturate = false};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

template <class T> class RoundedFormat : public ::testing::Test {};
TYPED_TEST_SUITE(RoundedFormat, RoundedFormats);

TYPED_TEST(RoundedFormat, EveryPatternDecodes) {
  for (TypeParam x : allPatterns<TypeParam>()) {
    double expected = valueByOracle(x);
    auto actual = convert<double>(x);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(actual)) << int(x.bits);
    else
      ASSERT_EQ(std::bit_cast<uint64_t>(actual),
                std::bit_cast<uint64_t>(expected))
          << int(x.bits);
    ASSERT_EQ(std::bit_cast<uint32_t>(convert<float>(x)),
              std::bit_cast<uint32_t>(static_cast<float>(actual)));
  }
}

TYPED_TEST(RoundedFormat, EveryNumberRoundTrips) {
  for (TypeParam x : allPatterns<TypeParam>())
    if (!std::isnan(convert<float>(x)) && !std::isinf(convert<float>(x))) {
      ASSERT_EQ(convert<TypeParam>(convert<float>(x)), x);
      ASSERT_EQ(convert<TypeParam>(convert<double>(x)), x);
    }
}

TYPED_TEST(RoundedFormat, DoublesRoundOnce) {
  for (double x : criticalDoubles<TypeParam>()) {
    auto expected = roundByOracle<TypeParam>(APFloat(x));
    ASSERT_EQ(convert<TypeParam>(x, noSaturation).bits, expected.bits)
        << std::hexfloat << x;
    auto single = static_cast<float>(x);
    ASSERT_EQ(convert<TypeParam>(single, noSaturation).bits,
              roundByOracle<TypeParam>(APFloat(single)).bits)
        << std::hexfloat << single;
  }
}

/// The upper half of a float takes all values, the lower half those around the
/// ties and sticky bits of every format.
TYPED_TEST(RoundedFormat, FloatsOfEveryUpperHalfRoundOnce) {
  for (uint32_t upper = 0; upper < 0x10000; ++upper)
    for (uint32_t lower : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x3000u, 0x7fffu,
                           0x8000u, 0x8001u, 0xffffu}) {
      auto x = std::bit_cast<float>(upper << 16 | lower);
      if (std::isnan(x))
        continue;
      ASSERT_EQ(convert<TypeParam>(x, noSaturation).bits,
                roundByOracle<TypeParam>(APFloat(x)).bits)
          << std::hexfloat << x;
    }
}

TYPED_TEST(RoundedFormat, SaturationChangesOnlyWhatDoesNotFit) {
  // 16-bit formats always overflow to infinity.
  double largest = sizeof(TypeParam) == 2 ? infinity : 0;
  for (TypeParam x : allPatterns<TypeParam>())
    if (std::isfinite(valueByOracle(x)))
      largest = std::max(largest, valueByOracle(x));
  for (double x : criticalDoubles<TypeParam>()) {
    auto free = convert<TypeParam>(x, noSaturation);
    bool fits = std::isfinite(convert<double>(free));
    double expected = fits ? convert<double>(free) : std::copysign(largest, x);
    EXPECT_EQ(convert<double>(convert<TypeParam>(x)), expected) << x;
  }
}

/// Integers whose conversion through double would round twice.
TYPED_TEST(RoundedFormat, IntegersRoundOnce) {
  std::vector<int64_t> integers = {INT64_MIN, INT64_MIN + 1, INT64_MAX};
  for (int bit = 0; bit < 63; ++bit)
    for (int tie = 0; tie < bit; ++tie)
      for (int64_t d : {-1, 0, 1})
        integers.push_back((int64_t(1) << bit) + (int64_t(1) << tie) + d);
  for (size_t i = 0, n = integers.size(); i < n; ++i)
    integers.push_back(-static_cast<uint64_t>(integers[i]));
  for (int64_t x : integers) {
    APFloat exact(APFloat::IEEEquad());
    exact.convertFromAPInt(llvm::APInt(64, x, true), true,
                           APFloat::rmNearestTiesToEven);
    ASSERT_EQ(convert<TypeParam>(x, noSaturation).bits,
              roundByOracle<TypeParam>(exact).bits)
        << x;
    exact.convertFromAPInt(llvm::APInt(64, x), false,
                           APFloat::rmNearestTiesToEven);
    ASSERT_EQ(convert<TypeParam>(uint64_t(x), noSaturation).bits,
              roundByOracle<TypeParam>(exact).bits)
        << uint64_t(x);
    auto narrow = static_cast<int32_t>(x);
    ASSERT_EQ(convert<TypeParam>(narrow, noSaturation),
              convert<TypeParam>(int64_t(narrow), noSaturation));
  }
}

// Rounding 1 + 2^-11 + 2^-40 to float first gives a tie, which is then rounded
// down.
TEST(Convert, DoubleToHalfDoesNotRoundTwice) {
  double x = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(convert<Float16>(x).bits, 0x3c01);
  EXPECT_EQ(convert<Float16>(static_cast<float>(x)).bits, 0x3c00);
  EXPECT_EQ(convert<BFloat16>(1 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
}

TEST(Convert, IntegerToFloatDoesNotRoundTwice) {
  // To double first: 2^60 + 2^36, a tie for float.
  int64_t x = (int64_t(1) << 60) + (int64_t(1) << 36) + 1;
  EXPECT_EQ(convert<float>(x), 0x1p60f + 0x1p37f);
  EXPECT_EQ(static_cast<float>(static_cast<double>(x)), 0x1p60f);
  EXPECT_EQ(convert<double>((int64_t(1) << 53) + 1), 0x1p53);
  EXPECT_EQ(convert<double>((int64_t(1) << 53) + 3), 0x1p53 + 4);
  EXPECT_EQ(convert<float>(UINT64_MAX), 0x1p64f);
  // 2^62 + 2^54 is a tie for bf16, its last bit beyond double's precision.
  EXPECT_EQ(convert<BFloat16>((int64_t(1) << 62) + (int64_t(1) << 54) + 1),
            convert<BFloat16>(0x1p62 + 0x1p55));
}

TEST(Convert, ConvertsAtCompileTime) {
  static_assert(convert<Float16>(1.0).bits == 0x3c00);
  static_assert(convert<Float16>(0x1p-24).bits == 1);
  static_assert(convert<float>(Float16{1}) == 0x1p-24f);
  static_assert(convert<int8_t>(int64_t(300)) == 44);
  static_assert(convert<bool>(BFloat16{0x8000}) == false);
}

//===----------------------------------------------------------------------===//
// NaN, zero, saturation: ONNX's tables
//===----------------------------------------------------------------------===//

TEST(Convert, NaNsAreQuietedAndKeepTheirPayload) {
  auto toHalf = [](uint32_t bits) {
    return convert<Float16>(std::bit_cast<float>(bits)).bits;
  };
  EXPECT_EQ(toHalf(0x7fc00000), 0x7e00);
  EXPECT_EQ(toHalf(0xffc00000), 0xfe00);
  EXPECT_EQ(toHalf(0x7f800001), 0x7e00); // signalling, payload too low
  EXPECT_EQ(toHalf(0xffffffff), 0xffff);
  EXPECT_EQ(toHalf(0x7fa02000), 0x7f01);
  auto toBFloat = [](uint32_t bits) {
    return convert<BFloat16>(std::bit_cast<float>(bits)).bits;
  };
  EXPECT_EQ(toBFloat(0x7f800001), 0x7fc0);
  EXPECT_EQ(toBFloat(0xffffffff), 0xffff);
  EXPECT_EQ(std::bit_cast<uint32_t>(convert<float>(Float16{0x7c01})),
            0x7fc02000u);
  EXPECT_EQ(std::bit_cast<uint32_t>(convert<float>(BFloat16{0xff81})),
            0xffc10000u);
  EXPECT_EQ(convert<Float16>(Float16{0x7c01}).bits, 0x7c01); // same type: bits
}

TEST(Convert, Float8SpecialValues) {
  struct Row {
    double x;
    unsigned e4m3fn, e4m3fnuz, e5m2, e5m2fnuz;
  };
  // The tables of Cast's documentation, version 24: saturated ...
  for (auto [x, fn, fnuz, e5, e5fnuz] :
       {Row{0.0, 0, 0, 0, 0}, Row{-0.0, 0x80, 0, 0x80, 0},
        Row{notANumber, 0x7f, 0x80, 0x7e, 0x80},
        Row{-notANumber, 0xff, 0x80, 0xfe, 0x80},
        Row{infinity, 0x7e, 0x7f, 0x7b, 0x7f},
        Row{-infinity, 0xfe, 0xff, 0xfb, 0xff},
        Row{1e9, 0x7e, 0x7f, 0x7b, 0x7f}, Row{-1e9, 0xfe, 0xff, 0xfb, 0xff}}) {
    EXPECT_EQ(convert<Float8E4M3FN>(x).bits, fn) << x;
    EXPECT_EQ(convert<Float8E4M3FNUZ>(x).bits, fnuz) << x;
    EXPECT_EQ(convert<Float8E5M2>(x).bits, e5) << x;
    EXPECT_EQ(convert<Float8E5M2FNUZ>(x).bits, e5fnuz) << x;
  }
  // ... and not.
  for (auto [x, fn, fnuz, e5, e5fnuz] :
       {Row{0.0, 0, 0, 0, 0}, Row{-0.0, 0x80, 0, 0x80, 0},
        Row{infinity, 0x7f, 0x80, 0x7c, 0x80},
        Row{-infinity, 0xff, 0x80, 0xfc, 0x80},
        Row{1e9, 0x7f, 0x80, 0x7c, 0x80}, Row{-1e9, 0xff, 0x80, 0xfc, 0x80}}) {
    EXPECT_EQ(convert<Float8E4M3FN>(x, noSaturation).bits, fn) << x;
    EXPECT_EQ(convert<Float8E4M3FNUZ>(x, noSaturation).bits, fnuz) << x;
    EXPECT_EQ(convert<Float8E5M2>(x, noSaturation).bits, e5) << x;
    EXPECT_EQ(convert<Float8E5M2FNUZ>(x, noSaturation).bits, e5fnuz) << x;
  }
}

TEST(Convert, Float4AndFloat6) {
  EXPECT_EQ(convert<Float4E2M1>(0.25f).bits, 0); // a tie, to even
  EXPECT_EQ(convert<Float4E2M1>(0.75f).bits, 2);
  EXPECT_EQ(convert<float>(convert<Float4E2M1>(-3.5f)), -4);
  EXPECT_EQ(convert<float>(convert<Float4E2M1>(5.0f)), 4);
  EXPECT_EQ(convert<float>(convert<Float4E2M1>(infinity)), 6);
  EXPECT_EQ(convert<float>(convert<Float4E2M1>(-1e9)), -6);
  EXPECT_EQ(convert<Float4E2M1>(notANumber).bits, 8); // -0, as stored in ONNX
  EXPECT_EQ(convert<Float4E2M1>(-notANumber).bits, 0);
  EXPECT_EQ(convert<float>(convert<Float6E2M3>(1e9)), 7.5f);
  EXPECT_EQ(convert<float>(convert<Float6E3M2>(-1e9)), -28.0f);
  // saturate is no question for them
  EXPECT_EQ(convert<Float4E2M1>(infinity, noSaturation).bits, 7);
}

TEST(Convert, ExponentFormat) {
  using Mode = CastOptions::RoundMode;
  auto up = [](double x) { return int(convert<Float8E8M0>(x).bits); };
  auto down = [](double x) {
    return int(convert<Float8E8M0>(x, {.roundMode = Mode::Down}).bits);
  };
  auto nearest = [](double x, bool saturate = true) {
    return int(convert<Float8E8M0>(
                   x, {.saturate = saturate, .roundMode = Mode::Nearest})
                   .bits);
  };
  // up, down, nearest with ties up
  EXPECT_EQ(up(1.0), 127);
  EXPECT_EQ(up(std::nextafter(1.0, 2)), 128);
  EXPECT_EQ(down(std::nextafter(2.0, 1)), 127);
  EXPECT_EQ(nearest(1.5), 128);
  EXPECT_EQ(nearest(std::nextafter(1.5, 1)), 127);
  EXPECT_EQ(nearest(3.0), 129);
  EXPECT_EQ(nearest(6.0), 130); // ties go up, not to even
  // the ends
  EXPECT_EQ(up(0x1p-127), 0);
  EXPECT_EQ(up(0x1.000001p-127), 1);
  EXPECT_EQ(up(0x1p127), 254);
  for (auto mode : {Mode::Up, Mode::Down, Mode::Nearest}) {
    CastOptions clamp{.roundMode = mode};
    CastOptions strict{.saturate = false, .roundMode = mode};
    for (double x : {0.0, 1e-300, 0x0.fp-127}) {
      EXPECT_EQ(convert<Float8E8M0>(x, clamp).bits, 0);
      EXPECT_EQ(convert<Float8E8M0>(x, strict).bits, 255);
    }
    for (double x : {0x1.1p127, 1e300, infinity}) {
      EXPECT_EQ(convert<Float8E8M0>(x, clamp).bits, 254);
      EXPECT_EQ(convert<Float8E8M0>(x, strict).bits, 255);
    }
    EXPECT_EQ(convert<Float8E8M0>(notANumber, clamp).bits, 255);
    EXPECT_EQ(convert<Float8E8M0>(-1.0, clamp).bits, 255);
  }
  for (int bits = 0; bits < 255; ++bits)
    EXPECT_EQ(convert<double>(Float8E8M0{uint8_t(bits)}),
              std::ldexp(1.0, bits - 127));
  EXPECT_TRUE(std::isnan(convert<float>(Float8E8M0{255})));
  // Stored ONNX test e8m0_FLOAT_to_FLOAT8E8M0, round_mode up.
  EXPECT_EQ(up(0.124f), 124);
  EXPECT_EQ(up(1.1f), 128);
  // Large integers round up by bits that double would drop.
  EXPECT_EQ(int(convert<Float8E8M0>((int64_t(1) << 60) + 1).bits), 127 + 61);
}

//===----------------------------------------------------------------------===//
// Integers and bool
//===----------------------------------------------------------------------===//

TEST(Convert, IntegersWrap) {
  EXPECT_EQ(convert<int8_t>(int64_t(300)), 44);
  EXPECT_EQ(convert<int64_t>(convert<int8_t>(int64_t(300))), 44);
  EXPECT_EQ(convert<int8_t>(int16_t(200)), -56); // Cast's documentation
  EXPECT_EQ(convert<uint64_t>(int8_t(-1)), UINT64_MAX);
  EXPECT_EQ(convert<int32_t>(uint64_t(0xffffffff80000000)), INT32_MIN);
  EXPECT_EQ(convert<Int4>(int32_t(8)).value, -8);
  EXPECT_EQ(convert<Int4>(int32_t(-9)).value, 7);
  EXPECT_EQ(convert<UInt4>(int32_t(-1)).value, 15);
  EXPECT_EQ(convert<Int2>(uint8_t(2)).value, -2);
  EXPECT_EQ(convert<UInt2>(uint64_t(7)).value, 3);
  EXPECT_EQ(convert<Int4>(UInt4{15}).value, -1);
}

TEST(Convert, FloatsTruncateToIntegers) {
  EXPECT_EQ(convert<int32_t>(-1.9), -1);
  EXPECT_EQ(convert<uint8_t>(255.9f), 255);
  EXPECT_EQ(convert<uint8_t>(-0.9f), 0);
  EXPECT_EQ(convert<int64_t>(-0x1p63), INT64_MIN);
  EXPECT_EQ(convert<uint64_t>(0x1.fffffffffffffp63), 0xfffffffffffff800);
  EXPECT_EQ(convert<int32_t>(-2147483648.9), INT32_MIN);
  EXPECT_EQ(convert<uint32_t>(4294967295.5), UINT32_MAX);
  // Stored ONNX tests since 1.19: sub-byte types wrap.
  EXPECT_EQ(convert<Int4>(-9.0f).value, 7);
  EXPECT_EQ(convert<Int4>(8.0f).value, -8);
  EXPECT_EQ(convert<UInt4>(-1.5f).value, 15);
  EXPECT_EQ(convert<UInt2>(4.7f).value, 0);
}

/// Out of range is 0 and inRange says so, at the ends of every type.
template <class To, class From> void checkEnds() {
  double above = std::ldexp(1.0, std::numeric_limits<To>::digits);
  double smallest = std::is_signed_v<To> ? -above : 0;
  constexpr auto top = std::numeric_limits<From>::infinity();
  auto low = static_cast<From>(smallest), high = static_cast<From>(above);
  EXPECT_TRUE(inRange<To>(low));
  EXPECT_EQ(static_cast<double>(convert<To>(low)), smallest);
  EXPECT_FALSE(inRange<To>(high));
  EXPECT_EQ(convert<To>(high), To(0));
  From last = std::nextafter(high, From(0));
  EXPECT_TRUE(inRange<To>(last));
  EXPECT_EQ(static_cast<From>(convert<To>(last)), std::trunc(last));
  // The first number below whose whole part does not fit.
  From beyond = low - 1 < low ? low - 1 : std::nextafter(low, -top);
  EXPECT_FALSE(inRange<To>(beyond)) << beyond;
  EXPECT_EQ(convert<To>(beyond), To(0));
  EXPECT_TRUE(inRange<To>(std::nextafter(beyond, top)));
  for (From x : {top, -top, std::numeric_limits<From>::quiet_NaN()}) {
    EXPECT_FALSE(inRange<To>(x));
    EXPECT_EQ(convert<To>(x), To(0));
  }
}
template <class T> class IntegerType : public ::testing::Test {};
using IntegerTypes = ::testing::Types<int8_t, int16_t, int32_t, int64_t,
                                      uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(IntegerType, IntegerTypes);

TYPED_TEST(IntegerType, EndsOfTheRange) {
  checkEnds<TypeParam, float>();
  checkEnds<TypeParam, double>();
}

TYPED_TEST(IntegerType, FloatsTruncateAsTheOracleDoes) {
  constexpr bool isUnsigned = std::is_unsigned_v<TypeParam>;
  for (uint32_t bits = 0; bits < 0xffff0000; bits += 0x7fff) {
    auto x = std::bit_cast<float>(bits);
    llvm::APSInt result(sizeof(TypeParam) * 8, isUnsigned);
    bool isExact;
    auto status =
        APFloat(x).convertToInteger(result, APFloat::rmTowardZero, &isExact);
    bool fits = !(status & APFloat::opInvalidOp);
    ASSERT_EQ(inRange<TypeParam>(x), fits) << x;
    auto expected =
        fits ? static_cast<TypeParam>(result.getZExtValue()) : TypeParam(0);
    ASSERT_EQ(convert<TypeParam>(x), expected) << x;
    ASSERT_EQ(convert<TypeParam>(static_cast<double>(x)), expected) << x;
  }
}

TEST(InRange, IntegersAndSubByteTypes) {
  EXPECT_TRUE(inRange<int8_t>(int64_t(-128)));
  EXPECT_FALSE(inRange<int8_t>(int64_t(-129)));
  EXPECT_FALSE(inRange<int8_t>(uint64_t(128)));
  EXPECT_FALSE(inRange<uint64_t>(int8_t(-1)));
  EXPECT_FALSE(inRange<int64_t>(UINT64_MAX));
  EXPECT_TRUE(inRange<uint64_t>(UINT64_MAX));
  EXPECT_TRUE(inRange<Int4>(-8.9f));
  EXPECT_FALSE(inRange<Int4>(-9.0f));
  EXPECT_TRUE(inRange<UInt2>(3.99));
  EXPECT_FALSE(inRange<UInt2>(UInt4{4}));
  EXPECT_TRUE(inRange<float>(1e300)); // infinity is a float
  EXPECT_TRUE(inRange<bool>(notANumber));
  EXPECT_FALSE(inRange<int32_t>(Float16{0x7c00}));
}

TEST(Convert, Bool) {
  EXPECT_TRUE(convert<bool>(notANumber));
  EXPECT_TRUE(convert<bool>(5e-324));
  EXPECT_FALSE(convert<bool>(-0.0));
  EXPECT_TRUE(convert<bool>(int64_t(256)));
  EXPECT_TRUE(convert<bool>(Float16{1}));
  EXPECT_TRUE(convert<bool>(Float8E4M3FNUZ{0x80})); // NaN
  EXPECT_FALSE(convert<bool>(Float8E4M3FN{0x80}));  // -0
  EXPECT_FALSE(convert<bool>(Int4{0}));
  EXPECT_EQ(convert<Float16>(true).bits, 0x3c00);
  EXPECT_EQ(convert<int64_t>(true), 1);
  EXPECT_EQ(convert<UInt2>(true).value, 1);
}

TEST(Convert, ComplexPartByPart) {
  auto z = convert<std::complex<float>>(std::complex<double>(1e300, 0.1));
  EXPECT_EQ(z.real(), std::numeric_limits<float>::infinity());
  EXPECT_EQ(z.imag(), 0.1f);
}

// A product of two f16 in float, rounded once, is the f16 product.
TEST(Convert, ComputingHalvesInFloatIsExact) {
  uint32_t state = 12345;
  for (int i = 0; i < 200000; ++i) {
    state = state * 1664525 + 1013904223;
    Float16 a{uint16_t(state >> 16)}, b{uint16_t(state * 2654435761u >> 16)};
    float x = convert<float>(a), y = convert<float>(b);
    if (std::isnan(x) || std::isnan(y) || std::isnan(x / y) ||
        std::isnan(x * y) || std::isnan(x + y))
      continue;
    auto oracle = [&](auto operation) {
      APFloat result(APFloat::IEEEhalf(), llvm::APInt(16, a.bits));
      operation(result, APFloat(APFloat::IEEEhalf(), llvm::APInt(16, b.bits)));
      return uint16_t(result.bitcastToAPInt().getZExtValue());
    };
    constexpr auto mode = APFloat::rmNearestTiesToEven;
    ASSERT_EQ(convert<Float16>(x * y).bits,
              oracle([](APFloat &r, APFloat o) { r.multiply(o, mode); }));
    ASSERT_EQ(convert<Float16>(x / y).bits,
              oracle([](APFloat &r, APFloat o) { r.divide(o, mode); }));
    ASSERT_EQ(convert<Float16>(x + y).bits,
              oracle([](APFloat &r, APFloat o) { r.add(o, mode); }));
  }
}

} // namespace
