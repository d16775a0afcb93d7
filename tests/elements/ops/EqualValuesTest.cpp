//===- EqualValuesTest.cpp - Finding equal tensors among many -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/EqualValues.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;

static Elements ascending(int64_t count, float first = 0) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return Elements::fromValues<float>({count}, values);
}

TEST(EqualValuesTest, ContentCountsNotHowItIsHeld) {
  Elements x = ascending(6).reshape({2, 3});
  Elements twice = map(x, [](auto v) { return v * 2; });
  Elements half = map(twice, [](auto v) { return v / 2; });
  EqualValues equal({x, twice, half, x.transpose({1, 0}).transpose({1, 0})});
  EXPECT_EQ(equal.firstOf(0), 0u);
  EXPECT_EQ(equal.firstOf(1), 1u);
  EXPECT_EQ(equal.firstOf(2), 0u);
  EXPECT_EQ(equal.firstOf(3), 0u);
}

TEST(EqualValuesTest, ShapeAndTypeCount) {
  Elements x = ascending(6);
  EqualValues equal({x, x.reshape({2, 3}), cast(x, DataType::Float64),
                     Elements(), Elements(), x});
  for (size_t i = 0; i < 5; ++i)
    EXPECT_EQ(equal.firstOf(i), i);
  EXPECT_EQ(equal.firstOf(5), 0u);
}

/// A look at a few elements does not see it.
TEST(EqualValuesTest, OneElementOfMany) {
  constexpr int64_t count = 100000;
  std::vector<float> values(count, 1);
  Elements x = Elements::fromValues<float>({count}, values);
  values[70001] = 2;
  Elements y = Elements::fromValues<float>({count}, values);
  EqualValues equal({x, y, x.slice(0, 0, count), y.reshape({count})});
  EXPECT_EQ(equal.firstOf(1), 1u);
  EXPECT_EQ(equal.firstOf(2), 0u);
  EXPECT_EQ(equal.firstOf(3), 1u);
}

TEST(EqualValuesTest, Strings) {
  Elements x = Elements::fromStrings({2}, {"a", "bc"});
  EqualValues equal({x, Elements::fromStrings({2}, {"ab", "c"}),
                     Elements::fromStrings({2}, {"a", "bc"})});
  EXPECT_EQ(equal.firstOf(1), 1u);
  EXPECT_EQ(equal.firstOf(2), 0u);
}
