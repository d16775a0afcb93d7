//===- QuantizeTest.cpp - Linear quantisation -----------------------------===//

#include "onnxfold/elements/Quantize.h"
#include "Naive.h"
#include "onnxfold/elements/Elementwise.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

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

TEST(Quantize, EmptyAndRankZero) {
  Elements scale = Elements::fromValues<float>({1}, {1});
  expectValues<uint8_t>(
      quantize(Elements::fromValues<float>({0, 2}, {}), scale, {}, {.axis = 1}),
      {0, 2}, {});
  expectValues<uint8_t>(
      quantize(Elements::fromValues<float>({}, {7.5f}), scale, {}, {}), {},
      {8});
}
