//===- DifferenceTest.cpp - How far two values are apart ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/Difference.h"
#include "gtest/gtest.h"
#include <cmath>
#include <complex>

using namespace onnxfold;

static Elements floats(std::initializer_list<float> values) {
  return Elements::fromValues<float>({int64_t(values.size())}, values);
}

static std::optional<Difference> exactly(Elements a, Elements b) {
  return difference(FoldedValue(a), FoldedValue(b), Tolerance::exact());
}

TEST(Difference, EqualValuesHaveNone) {
  EXPECT_FALSE(
      exactly(floats({1, -0.0f, INFINITY}), floats({1, -0.0f, INFINITY})));
}

TEST(Difference, NaNEqualsNaNAndNothingElse) {
  EXPECT_FALSE(exactly(floats({NAN}), floats({-NAN})));
  auto found = exactly(floats({0, NAN}), floats({0, 1}));
  ASSERT_TRUE(found);
  EXPECT_TRUE(std::isinf(found->ulps));
  EXPECT_EQ(found->index, Shape({1}));
}

TEST(Difference, ZeroAndMinusZeroAreOneApart) {
  auto found = exactly(floats({0}), floats({-0.0f}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ulps, 1);
}

// The distances are those that std::nextafter makes.
TEST(Difference, CountsNumbersBetween) {
  float next = std::nextafter(std::nextafter(1.5f, 2.0f), 2.0f);
  auto found = exactly(floats({1.5f}), floats({next}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ulps, 2);
  float tiny = std::nextafter(0.0f, 1.0f);
  found = exactly(floats({tiny}), floats({-tiny}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ulps, 3); // tiny, 0, -0, -tiny

  double wide = std::nextafter(1e300, INFINITY);
  found = exactly(Elements::fromValues<double>({}, {1e300}),
                  Elements::fromValues<double>({}, {wide}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ulps, 1);

  Float16 one{0x3c00}, two{0x4000}; // 1024 numbers of f16 from 1 to 2
  found = exactly(Elements::fromValues<Float16>({}, {one}),
                  Elements::fromValues<Float16>({}, {two}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ulps, 1024);
}

TEST(Difference, NamesTheLargestOne) {
  auto found =
      exactly(Elements::fromValues<int64_t>({2, 3}, {1, 2, 3, 4, 5, 6}),
              Elements::fromValues<int64_t>({2, 3}, {1, 3, 3, 4, 5, -4}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, Shape({1, 2}));
  EXPECT_EQ(found->text(),
            "at [1, 2]: 6 and -4 (10 ulp; 2 of 6 elements differ)");
}

TEST(Difference, IntegersBeyondADoubleStillDiffer) {
  int64_t large = (int64_t(1) << 53) + 1;
  auto found = exactly(Elements::fromValues<int64_t>({}, {large}),
                       Elements::fromValues<int64_t>({}, {large - 1}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ulps, 1);
}

TEST(Difference, TypesAndShapesAreCompared) {
  auto found = exactly(floats({1, 2}), floats({1}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text(), "the types are f32[2] and f32[1]");
  found = exactly(floats({1}), Elements::fromValues<double>({1}, {1.0}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text(), "the types are f32[1] and f64[1]");
}

TEST(Difference, StringsAndComplexNumbers) {
  auto found = exactly(Elements::fromStrings({2}, {"a", "b"}),
                       Elements::fromStrings({2}, {"a", "c"}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text(), "at [1]: 'b' and 'c' (1 of 2 elements differ)");
  using C = std::complex<float>;
  found = exactly(Elements::fromValues<C>({2}, {C(1, 2), C(3, 4)}),
                  Elements::fromValues<C>({2}, {C(1, 2), C(3, 5)}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, Shape({1}));
  EXPECT_EQ(found->before, "4");
  EXPECT_EQ(found->after, "5");
}

TEST(Difference, SequencesTensorByTensor) {
  auto make = [](float last) {
    return FoldedValue(makeSequence({floats({1}), floats({2, last})}));
  };
  EXPECT_FALSE(difference(make(3), make(3), Tolerance::exact()));
  auto found = difference(make(3), make(4), Tolerance::exact());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, Shape({1, 1}));
  EXPECT_TRUE(
      difference(make(3), FoldedValue(floats({1})), Tolerance::exact()));
  EXPECT_FALSE(difference(FoldedValue::nothing(), FoldedValue::nothing(),
                          Tolerance::exact()));
}

static bool isWithin(const FoldedValue &a, const FoldedValue &b,
                     const Tolerance &tolerance) {
  auto found = difference(a, b, tolerance);
  return !found || found->isWithin;
}

TEST(Difference, ToleranceIsOfTheLargestValue) {
  Tolerance tolerance;
  tolerance.relative = 1e-5;
  FoldedValue a(floats({100, 0.001f}));
  EXPECT_TRUE(isWithin(a, FoldedValue(floats({100, 0.0015f})), tolerance));
  EXPECT_TRUE(isWithin(FoldedValue(floats({0.0f})),
                       FoldedValue(floats({-0.0f})), tolerance));
  auto found = difference(a, FoldedValue(floats({100.01f, 0.001f})), tolerance);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->isWithin);
  EXPECT_EQ(found->index, Shape({0}));
  EXPECT_EQ(found->count, 1);
  // NaN is within no distance.
  EXPECT_FALSE(isWithin(a, FoldedValue(floats({NAN, 0.001f})), tolerance));
}

// Near 0 many numbers lie close together: what counts there is not how many.
TEST(Difference, WithinTheToleranceTheFurthestValueIsNamed) {
  Tolerance tolerance;
  tolerance.relative = 1e-5;
  auto found = difference(FoldedValue(floats({100, 1e-20f})),
                          FoldedValue(floats({100.0001f, 0})), tolerance);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->isWithin);
  EXPECT_EQ(found->index, Shape({0}));
  EXPECT_EQ(found->count, 2);
}

TEST(Difference, StepsOfQuantisedModels) {
  Tolerance tolerance;
  tolerance.steps = 1;
  tolerance.ofRange = 1.0 / 255;
  auto bytes = [](uint8_t value) {
    return FoldedValue(Elements::fromValues<uint8_t>({1}, {value}));
  };
  EXPECT_TRUE(isWithin(bytes(7), bytes(8), tolerance));
  EXPECT_FALSE(isWithin(bytes(7), bytes(9), tolerance));
  FoldedValue range(floats({-1, 1}));
  EXPECT_TRUE(isWithin(range, FoldedValue(floats({-1, 0.993f})), tolerance));
  EXPECT_FALSE(isWithin(range, FoldedValue(floats({-1, 0.99f})), tolerance));
}
