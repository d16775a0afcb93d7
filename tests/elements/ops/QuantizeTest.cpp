//===- QuantizeTest.cpp - Linear quantisation -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/Naive.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

TEST(Quantize, RoundsToEvenBeforeTheZeroPointAndSaturates) {
  Elements x = Elements::fromValues<float>(
      {8}, {1, 3, 5, -1, -3, 1000, -1000, INFINITY});
  Elements scale = Elements::fromValues<float>({}, {2});
  Elements zero = Elements::fromValues<uint8_t>({}, {1});
  // 0.5 -> 0 and 1.5 -> 2, then + 1; adding first would give 2 and 2.
  expectValues<uint8_t>(quantize(x, scale, zero, {}), {8},
                        {1, 3, 3, 1, 0, 255, 0, 255});
  expectValues<uint8_t>(quantize(x, scale, {}, {}), {8},
                        {0, 2, 2, 0, 0, 255, 0, 255});
  expectValues<int8_t>(quantize(x, scale, {}, {.to = DataType::Int8}), {8},
                       {0, 2, 2, 0, -2, 127, -128, 127});
  expectValues<Int4>(quantize(x, scale, {}, {.to = DataType::Int4}), {8},
                     {Int4{0}, Int4{2}, Int4{2}, Int4{0}, Int4{-2}, Int4{7},
                      Int4{-8}, Int4{7}});
  EXPECT_FALSE(bool(quantize(x, scale, {}, {.to = DataType::Int64})));
  EXPECT_FALSE(bool(quantize(x, scale, {}, {.to = DataType::Float32})));
}

TEST(Quantize, NanIsFound) {
  Elements x = Elements::fromValues<float>({3}, {1, 0, NAN});
  EXPECT_EQ(firstNotQuantizable(x, Elements::fromValues<float>({}, {2}), {}),
            2);
  EXPECT_EQ(firstNotQuantizable(x, Elements::fromValues<float>({}, {0}), {}),
            1);
  EXPECT_EQ(firstNotQuantizable(x.slice(0, 0, 2),
                                Elements::fromValues<float>({}, {2}), {}),
            std::nullopt);
}

// QuantizeLinear takes the lowest integer for these elements, as ONNX Runtime.
TEST(Quantize, QuotientsThatAreNan) {
  Elements x = Elements::fromValues<float>(
      {2, 3}, {0, 1, INFINITY, NAN, -0.0f, -INFINITY});
  auto isNaN = [&](Shape shape, std::vector<float> scale, QuantizeOptions o) {
    return quotientIsNaN(x, Elements::fromValues<float>(shape, scale), o);
  };
  // Only 0 / 0, infinity / infinity and what has a NaN; 1 / 0 is infinite.
  expectValues<bool>(isNaN({}, {2}, {}), {2, 3},
                     {false, false, false, true, false, false});
  expectValues<bool>(isNaN({}, {0}, {}), {2, 3},
                     {true, false, false, true, true, false});
  expectValues<bool>(isNaN({}, {INFINITY}, {}), {2, 3},
                     {false, false, true, true, false, true});
  expectValues<bool>(isNaN({1}, {NAN}, {.axis = 9}), {2, 3},
                     {true, true, true, true, true, true});
  // Each element has the scale of its axis, or of its block.
  expectValues<bool>(isNaN({2}, {0, 1}, {.axis = 0}), {2, 3},
                     {true, false, false, true, false, false});
  expectValues<bool>(isNaN({3}, {1, 0, INFINITY}, {.axis = 1}), {2, 3},
                     {false, false, true, true, true, true});
  expectValues<bool>(
      isNaN({2, 2}, {0, 1, 1, INFINITY}, {.axis = 1, .blockSize = 2}), {2, 3},
      {true, false, false, true, false, true});
  Elements integers = Elements::fromValues<int32_t>({2}, {0, 7});
  Elements zero = Elements::fromValues<float>({}, {0});
  expectValues<bool>(quotientIsNaN(integers, zero, {}), {2}, {true, false});
}

TEST(Quantize, PerAxisAndPerBlock) {
  Naive<float> x = counting<float>({2, 5, 3});
  Naive<float> scale{{5}, {1, 2, 4, 8, 16}};
  Naive<int8_t> zero{{5}, {0, 1, 2, 3, -4}};
  QuantizeOptions byAxis{.to = DataType::Int8, .axis = 1};
  auto naive = [](float v, float s, int z) {
    return int8_t(std::clamp(std::nearbyint(v / s) + z, -128.0f, 127.0f));
  };
  expectEqual(quantize(x.elements(), scale.elements(), zero.elements(), byAxis),
              Naive<int8_t>::make(x.shape, [&](ShapeRef i) {
                return naive(x(i), scale({i[1]}), zero({i[1]}));
              }));
  // Blocks of 2 along 5: the last one is short. Blocks of 5: whole.
  for (int64_t block : {1, 2, 5, 7}) {
    Shape blocks = {2, (5 + block - 1) / block, 3};
    Naive<float> scales = counting<float>(blocks);
    for (float &s : scales.values)
      s += 0.5f;
    QuantizeOptions byBlock{
        .to = DataType::Int8, .axis = 1, .blockSize = block};
    Elements q = quantize(x.elements(), scales.elements(), {}, byBlock);
    expectEqual(q, Naive<int8_t>::make(x.shape, [&](ShapeRef i) {
                  return naive(x(i), scales({i[0], i[1] / block, i[2]}), 0);
                }));
    Elements back = dequantize(
        q, scales.elements(), {},
        byBlock.blockSize ? QuantizeOptions{.axis = 1, .blockSize = block}
                          : QuantizeOptions{});
    expectEqual(back, Naive<float>::make(x.shape, [&](ShapeRef i) {
                  float s = scales({i[0], i[1] / block, i[2]});
                  return naive(x(i), s, 0) * s;
                }));
  }
}

TEST(Quantize, Mismatches) {
  Elements x = counting<float>({2, 5}).elements();
  Elements scale = counting<float>({3}).elements();
  EXPECT_EQ(checkQuantization(x, scale, {}, {.axis = 1}),
            "scale has shape [3], expected [5]");
  EXPECT_EQ(checkQuantization(x, scale, {}, {.axis = 2}),
            "axis 2 is outside the 2 dimensions of the input");
  EXPECT_EQ(checkQuantization(x, scale, {}, {.axis = 1, .blockSize = 2}),
            "scale has shape [3], expected [2, 3]");
  EXPECT_EQ(checkQuantization(x, scale.slice(0, 0, 1), scale, {.axis = 1}),
            "zero point has shape [3], expected [5]");
  // A scale of one element is per tensor, whatever the axis.
  EXPECT_EQ(checkQuantization(x, scale.slice(0, 0, 1), {}, {.axis = 9}),
            std::nullopt);
}

TEST(Quantize, DivisionRoundsInItsType) {
  // 1 / 3 in f16 is 0x3555; times 3 steps of f32 it would be another.
  Elements x = cast(Elements::fromValues<float>({1}, {1}), DataType::Float16);
  Elements s = cast(Elements::fromValues<float>({1}, {3}), DataType::Float16);
  Elements q = quantize(x, s, {}, {.to = DataType::Float8E4M3FN});
  float third = convert<float>(convert<Float16>(1.0f / 3));
  EXPECT_EQ(q.value<Float8E4M3FN>().bits, convert<Float8E4M3FN>(third).bits);
  // 4097 / 2 in f16 is 2048 (4097 is 4096): with f32 it is 2048.5 -> 2048;
  // 4099 / 2 is 2050 in f16, 2049.5 -> 2050 in f32; 4101 / 2: 2050, 2050.5.
  Elements i = Elements::fromValues<int32_t>({1}, {4103});
  Elements two = Elements::fromValues<float>({}, {2});
  expectValues<int16_t>(quantize(i, two, {}, {.to = DataType::Int16}), {1},
                        {2052});
  expectValues<int16_t>(
      quantize(i, two, {},
               {.to = DataType::Int16, .precision = DataType::BFloat16}),
      {1}, {2048});
}

TEST(Quantize, SmallFloats) {
  Elements x = Elements::fromValues<float>({4}, {1, 1000, -1000, NAN});
  Elements one = Elements::fromValues<float>({}, {1});
  Elements q = quantize(x, one, {}, {.to = DataType::Float8E4M3FN});
  EXPECT_EQ(q.number(1).to<float>(), 448);
  EXPECT_EQ(q.number(2).to<float>(), -448);
  EXPECT_TRUE(std::isnan(q.number(3).to<float>()));
  Elements free = quantize(
      x, one, {}, {.to = DataType::Float8E5M2, .cast = {.saturate = false}});
  EXPECT_EQ(free.number(1).to<float>(), 1024);
  EXPECT_EQ(
      quantize(x, one, {}, {.to = DataType::Float4E2M1}).number(1).to<float>(),
      6);
}

// Without a zero point, 0 was added in double, but not in float: -0 became 0
// where the scale was f64.
TEST(Quantize, NegativeZeroStaysWithoutAZeroPoint) {
  Elements x = Elements::fromValues<float>({1}, {-0.0f});
  Elements one = Elements::fromValues<float>({}, {1});
  for (DataType precision : {DataType::Float32, DataType::Float64}) {
    QuantizeOptions options{.to = DataType::Float4E2M1, .precision = precision};
    expectValues<Float4E2M1>(quantize(x, one, {}, options), {1}, {{8}});
    Elements zero = Elements::fromValues<Float4E2M1>({}, {{0}});
    expectValues<Float4E2M1>(quantize(x, one, zero, options), {1}, {{0}});
  }
}

TEST(Dequantize, SubtractsWide) {
  // -128 - 127 does not fit 8 bits.
  Elements x = Elements::fromValues<int8_t>({2}, {-128, 127});
  Elements zero = Elements::fromValues<int8_t>({}, {127});
  Elements scale = Elements::fromValues<float>({}, {0.5f});
  expectValues<float>(dequantize(x, scale, zero, {}), {2}, {-127.5f, 0});
  Elements half = cast(scale, DataType::Float16);
  EXPECT_EQ(dequantize(x, half, zero, {}).type(), DataType::Float16);
  EXPECT_EQ(dequantize(x, half, zero, {.to = DataType::Float32}).type(),
            DataType::Float32);
  EXPECT_FALSE(bool(dequantize(x, scale, zero, {.to = DataType::Int8})));
  // 32 bits minus 32 bits, times f32: one rounding.
  Elements large = Elements::fromValues<int32_t>({1}, {INT32_MAX});
  Elements low = Elements::fromValues<int32_t>({1}, {INT32_MIN});
  expectValues<float>(
      dequantize(large, Elements::fromValues<float>({}, {1}), low, {}), {1},
      {4294967295.0f});
  Elements f8 =
      Elements::fromValues<Float8E5M2>({1}, {convert<Float8E5M2>(1.5f)});
  expectValues<float>(dequantize(f8, scale, {}, {}), {1}, {0.75f});
}

//===----------------------------------------------------------------------===//
// All types, against the formulas one element at a time
//===----------------------------------------------------------------------===//

static double roundedTo(DataType type, double value) {
  Elements one = cast(Elements::fromValues<double>({}, {value}), type);
  return one.number().to<double>();
}

static const DataType floatTypes[] = {DataType::Float16, DataType::BFloat16,
                                      DataType::Float32, DataType::Float64};
static const DataType quantised[] = {
    DataType::Int2,           DataType::UInt2,      DataType::Int4,
    DataType::UInt4,          DataType::Int8,       DataType::UInt8,
    DataType::Int16,          DataType::UInt16,     DataType::Int32,
    DataType::UInt32,         DataType::Float4E2M1, DataType::Float8E4M3FN,
    DataType::Float8E4M3FNUZ, DataType::Float8E5M2, DataType::Float8E5M2FNUZ};

/// Values that reach every rounding and limit of the type: multiples of half a
/// scale, far beyond the range, tiny ones, and what is no number.
static Elements valuesToQuantize(Random &random, DataType type, ShapeRef shape,
                                 double scale) {
  auto x = Naive<double>::make(shape, [&](ShapeRef) -> double {
    switch (random.integer(0, 9)) {
    case 0:
      return random.integer(0, 1) ? INFINITY : -INFINITY;
    case 1:
      return type == DataType::Int32 ? 0 : double(NAN);
    case 2:
      return random.real(-1, 1) * 1e9;
    case 3:
      return random.real(-1, 1) * 1e-9;
    case 4:
      return scale * 70000 * random.real(-1, 1);
    case 5:
      return random.real(-3, 3) * scale;
    default:
      return scale * double(random.integer(-300, 300)) / 2;
    }
  });
  if (type == DataType::Int32)
    for (double &v : x.values)
      v = std::clamp(std::trunc(v), -2147483648.0, 2147483647.0);
  return cast(x.elements(), type).materialize();
}

static double expectedQuantized(double x, double scale, double zero,
                                DataType precision, DataType to) {
  double q = roundedTo(precision,
                       roundedTo(precision, x) / roundedTo(precision, scale));
  if (!isInteger(to))
    return roundedTo(to, q + (isSubByte(to) ? zero : 0));
  double bits = bitWidth(to), low = isSigned(to) ? -std::exp2(bits - 1) : 0;
  double high = std::exp2(bits - isSigned(to)) - 1;
  return std::clamp((std::isnan(q) ? 0 : std::nearbyint(q)) + zero, low, high);
}

TEST(Quantize, AllTypes) {
  unsigned seed = 0;
  int64_t compared = 0;
  for (DataType xType : {DataType::Float16, DataType::BFloat16,
                         DataType::Float32, DataType::Float64, DataType::Int32})
    for (DataType scaleType : floatTypes)
      for (DataType to : quantised)
        for (DataType precision :
             {DataType::Undefined, DataType::Float16, DataType::Float32}) {
          Random random(++seed);
          SCOPED_TRACE(name(xType).str() + " / " + name(scaleType).str() +
                       " -> " + name(to).str() + ", precision " +
                       name(precision).str());
          // Last axis, with a zero point of the result's type or none.
          int64_t n = 3;
          Elements scale =
              cast(Naive<double>::make(
                       {n}, [&](ShapeRef) { return random.real(0.01, 4); })
                       .elements(),
                   scaleType)
                  .materialize();
          Elements x = valuesToQuantize(random, xType, {100, n},
                                        scale.number(0).to<double>());
          Elements zero;
          if (random.integer(0, 2) && (isInteger(to) || isSubByte(to)))
            zero =
                cast(Naive<int64_t>::make(
                         {n}, [&](ShapeRef) { return random.integer(-2, 200); })
                         .elements(),
                     to)
                    .materialize();
          Elements q = quantize(x, scale, zero,
                                {.to = to, .axis = 1, .precision = precision});
          ASSERT_EQ(q.type(), to);
          for (int64_t i = 0; i < x.size(); ++i, ++compared) {
            auto at = [&](const Elements &e) {
              return e ? e.number(i % n).to<double>() : 0.0;
            };
            double want = expectedQuantized(
                x.number(i).to<double>(), at(scale), at(zero),
                precision == DataType::Undefined ? scaleType : precision, to);
            double have = q.number(i).to<double>();
            ASSERT_TRUE(have == want || (have != have && want != want))
                << x.number(i).to<double>() << " / " << at(scale) << " + "
                << at(zero) << " gives " << have << ", expected " << want;
          }
        }
  EXPECT_EQ(compared, 5 * 4 * 15 * 3 * 300);
}

TEST(Dequantize, AllTypes) {
  unsigned seed = 0;
  for (DataType xType : quantised)
    for (DataType scaleType : floatTypes)
      for (DataType to : floatTypes)
        for (int64_t block : {0, 2}) {
          Random random(++seed);
          SCOPED_TRACE(name(xType).str() + " * " + name(scaleType).str() +
                       " -> " + name(to).str());
          Shape shape = {50, 4};
          auto any = [&](ShapeRef of) {
            auto bits = Naive<int64_t>::make(
                of, [&](ShapeRef) { return int64_t(random.engine()); });
            return cast(bits.elements(),
                        isInteger(xType) ? xType : DataType::Int8);
          };
          Elements x = cast(any(shape), xType).materialize();
          Shape scales = block ? Shape{50, 2} : Shape{4};
          Elements scale = cast(Naive<double>::make(
                                    scales,
                                    [&](ShapeRef) {
                                      return random.real(-4, 4) *
                                             std::exp2(random.integer(-30, 9));
                                    })
                                    .elements(),
                                scaleType)
                               .materialize();
          Elements zero;
          if (random.integer(0, 2))
            zero = cast(any(scales), xType).materialize();
          Elements y = dequantize(x, scale, zero,
                                  {.to = to, .axis = 1, .blockSize = block});
          ASSERT_EQ(y.type(), to);
          for (int64_t i = 0; i < x.size(); ++i) {
            int64_t p = block ? i / 4 * 2 + i % 4 / 2 : i % 4;
            double z = zero ? zero.number(p).to<double>() : 0;
            double want = roundedTo(to, (x.number(i).to<double>() - z) *
                                            scale.number(p).to<double>());
            double have = y.number(i).to<double>();
            ASSERT_TRUE(
                (have == want && std::signbit(have) == std::signbit(want)) ||
                (have != have && want != want))
                << x.number(i).to<double>() << " - " << z << " times "
                << scale.number(p).to<double>() << " gives " << have
                << ", expected " << want;
          }
        }
}

// The loops for processors with and without wide vectors, and both ways to
// compute, give the same bits.
TEST(Quantize, EveryCpuLevel) {
  Random random(4);
  Elements x = valuesToQuantize(random, DataType::Float32, {3, 1777}, 0.37);
  Elements scale = Elements::fromValues<float>({}, {0.37f});
  Elements zero = Elements::fromValues<int8_t>({}, {-3});
  Elements q = quantize(x, scale, zero, {}).materialize();
  Elements y = dequantize(q, scale, zero, {}).materialize();
  for (CpuLevel level : {CpuLevel::Baseline, CpuLevel::Avx2}) {
    ForcedCpuLevel forced(level);
    EXPECT_TRUE(quantize(x, scale, zero, {}).identicalTo(q));
    EXPECT_TRUE(dequantize(q, scale, zero, {}).identicalTo(y));
  }
  // In double: f64 holds the same numbers.
  Elements wide = cast(x, DataType::Float64);
  EXPECT_TRUE(quantize(wide, scale, zero, {}).identicalTo(q));
  Elements wideScale = cast(scale, DataType::Float64);
  EXPECT_TRUE(
      dequantize(q, wideScale, zero, {.to = DataType::Float32}).identicalTo(y));
}

TEST(Quantize, EmptyAndRankZero) {
  Elements scale = Elements::fromValues<float>({1}, {1});
  expectValues<uint8_t>(
      quantize(Elements::fromValues<float>({0, 2}, {}), scale, {}, {.axis = 1}),
      {0, 2}, {});
  expectValues<uint8_t>(
      quantize(Elements::fromValues<float>({}, {7.5f}), scale, {}, {}), {},
      {8});
}
