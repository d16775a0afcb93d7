//===- PublishedBugsTest.cpp - Wrong results that others published --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The design that this library follows was implemented before, with wrong
// results and crashes that are known: B1 to B15 and N1 to N7. Each that is
// about data is a test here; those about operators are in
// tests/onnx/test_published_bugs.py. The first line of a test is the story.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/StringCast.h"
#include "onnxfold/tests/elements/Naive.h"
#include <cfenv>

using namespace onnxfold;
using namespace onnxfold::ops;

static const double notANumber = std::numeric_limits<double>::quiet_NaN();

static Elements i64(std::initializer_list<int64_t> values) {
  return Elements::fromValues<int64_t>({int64_t(values.size())}, values);
}

TEST(PublishedBugs, B1_CastOfBoolToSignedIntegers) {
  // Cast of i1 aborted: true was read as the signed number -1 of one bit.
  Elements bools = Elements::fromValues<bool>({2}, {true, false});
  for (DataType type :
       {DataType::Int8, DataType::Int16, DataType::Int32, DataType::Int64,
        DataType::UInt8, DataType::UInt64, DataType::Int4, DataType::UInt2})
    EXPECT_EQ(cast(bools, type).ints(), (llvm::SmallVector<int64_t>{1, 0}))
        << name(type).str();
  // In two bits 1 is the largest number that there is.
  EXPECT_EQ(cast(bools, DataType::Int2).ints()[0], 1);
  expectValues<float>(cast(bools, DataType::Float32), {2}, {1, 0});
}

TEST(PublishedBugs, B2_NonZeroOfAScalar) {
  // NonZero of a rank-0 constant divided by its rank: SIGFPE.
  Elements one = Elements::fromValues<float>({}, {3});
  Elements none = Elements::fromValues<float>({}, {0});
  expectValues<int64_t>(nonZero(one), {0, 1}, {});
  expectValues<int64_t>(nonZero(none), {0, 0}, {});
}

TEST(PublishedBugs, B3_ScatterNDWithANegativeIndex) {
  // ScatterND with index -1 wrote before the tensor: 1 2 3 4, expected 1 2 3 9.
  Elements x = Elements::fromValues<float>({4}, {1, 2, 3, 4});
  Elements updates = Elements::fromValues<float>({1}, {9});
  expectValues<float>(scatterND(x, i64({-1}).reshape({1, 1}), updates), {4},
                      {1, 2, 3, 9});
  expectValues<float>(scatterElements(x, i64({-4}), updates, 0), {4},
                      {9, 2, 3, 4});
}

TEST(PublishedBugs, B4_PadWithNegativeCounts) {
  // Pad by [-1, 0] of 1 2 3 4 gave 1 2 3 and wrote beyond the heap.
  Elements x = Elements::fromValues<float>({4}, {1, 2, 3, 4});
  expectValues<float>(pad(x, {-1}, {0}), {3}, {2, 3, 4});
  expectValues<float>(pad(x, {-1}, {2}), {5}, {2, 3, 4, 0, 0});
  expectValues<float>(pad(x, {2}, {-3}, PadMode::Edge), {3}, {1, 1, 1});
  expectValues<float>(pad(x, {-4}, {0}), {0}, {});
}

TEST(PublishedBugs, B5_GatherOutOfRange) {
  // Gather read wherever an index pointed: SIGSEGV. Here it is found first.
  EXPECT_EQ(firstOutOfRange(i64({0, -4, 3}), 4), std::nullopt);
  EXPECT_EQ(firstOutOfRange(i64({0, 4}), 4), 1);
  EXPECT_EQ(firstOutOfRange(i64({-5, 9}), 4), 0);
  EXPECT_EQ(firstOutOfRange(i64({std::numeric_limits<int64_t>::min()}), 4), 0);
  EXPECT_EQ(firstTupleOutOfRange(i64({2, 0, 0, 3}).reshape({2, 2}), {3, 3}), 3);
  // As i64 this one would be -1, the last element.
  Elements huge = Elements::fromValues<uint64_t>({2}, {0, UINT64_MAX});
  EXPECT_EQ(firstOutOfRange(huge, 4), 1);
  EXPECT_EQ(firstTupleOutOfRange(huge.reshape({2, 1}), {3}), 1);
}

TEST(PublishedBugs, B6_CastsThatAreUndone) {
  // Casts were delayed, so that a cast back saw the old digits: i64 300 to i8
  // and back was 300.
  Elements x = i64({300});
  EXPECT_EQ(cast(cast(x, DataType::Int8), DataType::Int64).ints()[0], 44);
  Elements tenth = Elements::fromValues<double>({1}, {0.1});
  Elements back = cast(cast(tenth, DataType::Float16), DataType::Float64);
  EXPECT_EQ(back.value<double>(), 0.0999755859375);
  Elements hundred = Elements::fromValues<int8_t>({1}, {100});
  Elements sum =
      zip(hundred, hundred, [](auto a, auto b) { return add(a, b); });
  EXPECT_EQ(cast(sum, DataType::Int32).ints()[0], -56);
  // Wide tensors keep doubles between operators, and casts cut them off too.
  Elements wide = tenth.widened();
  EXPECT_EQ(
      cast(cast(wide, DataType::Float16), DataType::Float64).value<double>(),
      0.0999755859375);
}

TEST(PublishedBugs, B7_PowerWithIntegerExponents) {
  // Pow of f32 by i32 read the bits of the integers as floats: all 1.
  Elements base = Elements::fromValues<float>({2}, {2, 3});
  Elements exponent = Elements::fromValues<int32_t>({2}, {3, 2});
  expectValues<float>(zipWide(base, exponent, wide::pow), {2}, {8, 9});
}

TEST(PublishedBugs, B10_AbsoluteOfLargeIntegers) {
  // Abs of i64 went through double: 2^53 + 1 became 2^53.
  int64_t large = (int64_t(1) << 53) + 1;
  Elements x = i64({-large, large, std::numeric_limits<int64_t>::min()});
  EXPECT_EQ(map(x, [](auto v) { return absolute(v); }).ints(),
            (llvm::SmallVector<int64_t>{large, large,
                                        std::numeric_limits<int64_t>::min()}));
  EXPECT_EQ(reduce(i64({large}), {0}, false, Reduction::Sum).ints()[0], large);
  EXPECT_EQ(argReduce(i64({large - 1, large}), 0, false, true, false).ints()[0],
            1);
}

TEST(PublishedBugs, B11_MinimumAndMaximumOfNaN) {
  // Min and Max of NaN depended on the order of the operands.
  Elements nan = Elements::fromValues<float>({1}, {float(notANumber)});
  Elements one = Elements::fromValues<float>({1}, {1});
  auto low = [](auto a, auto b) { return minimum(a, b); };
  auto high = [](auto a, auto b) { return maximum(a, b); };
  for (const Elements &result : {zip(nan, one, low), zip(one, nan, low),
                                 zip(nan, one, high), zip(one, nan, high)})
    EXPECT_TRUE(std::isnan(result.value<float>()));
  for (Reduction kind : {Reduction::Min, Reduction::Max})
    for (const Elements &both : {concat({nan, one}, 0), concat({one, nan}, 0)})
      EXPECT_TRUE(std::isnan(reduce(both, {0}, false, kind).value<float>()));
}

TEST(PublishedBugs, B12_ReshapeOfATransposedEmptyTensor) {
  // Reshaping a transposed tensor of no elements aborted.
  Elements x = Elements::fromValues<float>({2, 0, 3}, {}).transpose({2, 0, 1});
  expectValues<float>(x.reshape({5, 0}), {5, 0}, {});
  expectValues<float>(x.reshape({0}), {0}, {});
}

TEST(PublishedBugs, B13_N3_SplitOfUnevenAndEmptyTensors) {
  // Split without sizes gave wrong ones where the parts are not equal, and
  // divided by zero for a tensor of size 0. Here sizes are always given.
  std::vector<Elements> parts = i64({1, 2, 3, 4, 5}).split(0, {2, 2, 1});
  EXPECT_EQ(parts[2].ints(), llvm::SmallVector<int64_t>{5});
  parts = Elements::fromValues<float>({0, 3}, {}).split(0, {0, 0});
  expectValues<float>(parts[1], {0, 3}, {});
  parts = Elements::fromValues<float>({3, 0}, {}).split(0, {1, 2});
  expectValues<float>(parts[1], {2, 0}, {});
}

TEST(PublishedBugs, B14_InfinityToFloat8WithoutInfinity) {
  // Saturated infinities were NaN in the FNUZ types for Cast 19 to 23, as its
  // table said; nobody did that, and version 24 corrected the table.
  Elements x = Elements::fromValues<double>({3}, {infinity, -infinity, 1e9});
  CastOptions saturating, other;
  other.saturate = false;
  using T = Float8E4M3FNUZ;
  expectValues<T>(cast(x, DataType::Float8E4M3FNUZ, saturating), {3},
                  {T{0x7f}, T{0xff}, T{0x7f}});
  expectValues<T>(cast(x, DataType::Float8E4M3FNUZ, other), {3},
                  {T{0x80}, T{0x80}, T{0x80}});
}

TEST(PublishedBugs, B15_RoundingTwice) {
  // Doubles went to f16 through float: 1 + 2^-11 + 2^-40 gave 0x3c00.
  Elements x = Elements::fromValues<double>({1}, {1 + 0x1p-11 + 0x1p-40});
  expectValues<Float16>(cast(x, DataType::Float16), {1}, {Float16{0x3c01}});
  // Chains of f32 were evaluated in double: each step is rounded here, as a
  // runtime does it.
  Elements big = Elements::fromValues<float>({1}, {0x1p24f});
  auto plusOne = [](auto v) { return v + 1; };
  Elements twice = map(map(big, plusOne), plusOne);
  EXPECT_EQ(twice.value<float>(), 0x1p24f);
  EXPECT_EQ(map(map(big.widened(), plusOne), plusOne).value<float>(),
            0x1p24f + 2);
}

TEST(PublishedBugs, RoundingLeavesTheModeOfTheProcessorAlone) {
  // Round set the rounding mode for each element and never restored it.
  int before = std::fegetround();
  Elements x = Elements::fromValues<float>({4}, {0.5f, 1.5f, -2.5f, 0.3f});
  Elements y = map(x, [](auto v) {
    if constexpr (std::is_floating_point_v<decltype(v)>)
      return std::nearbyint(v);
    else
      return v;
  });
  expectValues<float>(y, {4}, {0, 2, -2, 0});
  EXPECT_EQ(std::fegetround(), before);
}

TEST(PublishedBugs, N1_ClipWithOneBound) {
  // Clip of integers without an upper bound took that of the unsigned type:
  // [-5, 5] from 0 on gave -1 -1; infinity became FLT_MAX.
  auto fromZero = [](auto v) { return maximum(v, decltype(v)(0)); };
  Elements x = Elements::fromValues<int32_t>({2}, {-5, 5});
  expectValues<int32_t>(map(x, fromZero), {2}, {0, 5});
  float top = std::numeric_limits<float>::infinity();
  Elements y = Elements::fromValues<float>({2}, {top, -top});
  expectValues<float>(map(y, fromZero), {2}, {top, 0});
}

TEST(PublishedBugs, N6_SubByteTypesAndText) {
  // Constants of sub-byte types and f8E8M0 crashed, casts of text gave garbage.
  Elements four = Elements::fromValues<Int4>({2, 2}, {{-8}, {7}, {0}, {-1}});
  EXPECT_EQ(four.transpose({1, 0}).ints(),
            (llvm::SmallVector<int64_t>{-8, 0, 7, -1}));
  expectValues<float>(cast(four, DataType::Float32), {2, 2}, {-8, 7, 0, -1});
  Elements scales = Elements::fromValues<Float8E8M0>({2}, {{127}, {128}});
  expectValues<float>(cast(scales, DataType::Float32), {2}, {1, 2});
  Elements texts = Elements::fromStrings({3}, {"-7", "1e3", "abc"});
  StringCast numbers = parseStrings(texts.slice(0, 0, 2), DataType::Float32);
  expectValues<float>(numbers.value, {2}, {-7, 1000});
  StringCast garbage = parseStrings(texts, DataType::Float32);
  EXPECT_FALSE(garbage.value);
  EXPECT_EQ(garbage.bad, 2);
}
