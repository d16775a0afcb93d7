//===- InterpolationTest.cpp - Values between elements --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Against loops over all elements. The kernels' tests compare with the formulas
// of Resize and GridSample; here is what those cannot show.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/nn/Interpolation.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace onnxfold;
using namespace onnxfold::ops;

static Elements randomNumbersOf(ShapeRef shape, unsigned seed) {
  std::mt19937 random(seed);
  return Elements::build<double>(shape, [&](auto out) {
    for (double &v : out)
      v = double(random() % 2001) / 1000 - 1;
  });
}

TEST(InterpolationFilter, AddsUpToOne) {
  for (bool cubic : {false, true})
    for (double a : {-0.75, -0.5, 0.0})
      for (double x = 0; x < 1; x += 0.0625) {
        InterpolationFilter filter{cubic, a};
        double sum = filter(x + 1) + filter(x) + filter(1 - x) + filter(2 - x);
        EXPECT_NEAR(sum, 1, 1e-15) << x;
      }
}

TEST(InterpolationFilter, IsZeroAtOtherElements) {
  InterpolationFilter keys{true, -0.6};
  EXPECT_EQ(keys(0), 1);
  for (double d : {-3.0, -2.0, -1.0, 1.0, 2.0, 2.5})
    EXPECT_EQ(keys(d), 0) << d;
}

TEST(AxisWeights, EdgesGoOnForEverOrAreExcluded) {
  auto edge = axisWeights({-0.25, -7, 9}, 2, {});
  ASSERT_TRUE(edge);
  ASSERT_EQ(edge->taps.size(), 3u); // one element each, whatever it is made of
  EXPECT_EQ(edge->taps[0].weight, 1);
  EXPECT_EQ(edge->taps[1].index, 0);
  EXPECT_EQ(edge->taps[2].index, 1);
  ResamplingOptions excluding{.excludeOutside = true};
  EXPECT_EQ(axisWeights({-0.25}, 2, excluding)->taps[0].weight, 1);
  EXPECT_FALSE(axisWeights({-1}, 2, excluding)); // -1 alone is met, and is not
}

TEST(AxisWeights, Identity) {
  EXPECT_TRUE(axisWeights({0, 1, 2}, 3, {{true}})->isIdentity(3));
  EXPECT_FALSE(axisWeights({0, 1}, 3, {})->isIdentity(3));
  EXPECT_FALSE(axisWeights({0, 1, 1}, 3, {})->isIdentity(3));
  EXPECT_FALSE(axisWeights({0, 1, 1.5}, 3, {})->isIdentity(3));
}

/// All weights of one axis, as a matrix.
static std::vector<std::vector<double>> matrixOf(const AxisWeights &weights,
                                                 int64_t length) {
  std::vector<std::vector<double>> rows(weights.size(),
                                        std::vector<double>(length, 0));
  for (int64_t i = 0; i < weights.size(); ++i)
    for (int64_t t = weights.begins[i]; t < weights.begins[i + 1]; ++t)
      rows[i][weights.taps[t].index] += weights.taps[t].weight;
  return rows;
}

TEST(InterpolateAxis, IsAProductWithTheWeights) {
  Shape shape = {5, 6, 7};
  Elements x = randomNumbersOf(shape, 1);
  std::vector<double> values = x.values<double>();
  for (int64_t axis = 0; axis < 3; ++axis)
    for (double stretch : {1.0, 2.5}) {
      std::vector<double> at = {-0.4, 0, 1.3, 2.5, 3.9, 4.2, 8, 2};
      auto weights =
          axisWeights(at, shape[axis], {{.cubic = true}, stretch, false});
      auto rows = matrixOf(*weights, shape[axis]);
      Elements y = interpolateAxis(x, axis, *weights);
      Shape strides = rowMajorStrides(shape), result(y.shape());
      std::vector<double> got = y.values<double>();
      int64_t number = 0;
      for (int64_t i = 0; i < result[0]; ++i)
        for (int64_t j = 0; j < result[1]; ++j)
          for (int64_t k = 0; k < result[2]; ++k) {
            int64_t index[] = {i, j, k}, place = index[axis];
            double want = 0;
            for (int64_t e = 0; e < shape[axis]; ++e) {
              index[axis] = e;
              want += rows[place][e] * values[index[0] * strides[0] +
                                              index[1] * strides[1] + index[2]];
            }
            EXPECT_NEAR(got[number++], want, 1e-14);
          }
    }
}

TEST(InterpolateAxis, DoesNotReadWhatWeighsNothing) {
  Elements x = Elements::fromValues<double>({3}, {-0.0, HUGE_VAL, 2});
  Elements y = interpolateAxis(x, 0, *axisWeights({0, 2, 0, 2}, 3, {}));
  std::vector<double> values = y.values<double>();
  EXPECT_TRUE(values[0] == 0 && std::signbit(values[0]));
  EXPECT_EQ(values[1], 2);
  EXPECT_EQ(interpolateAxis(x, 0, *axisWeights({}, 3, {})).size(), 0);
}

/// f's result on one thread and on three: the same bytes.
static void expectSameOnThreads(llvm::function_ref<Elements()> f) {
  std::vector<double> alone = f().values<double>();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  ParallelScope scope(pool);
  std::vector<double> together = f().values<double>();
  ASSERT_EQ(alone.size(), together.size());
  EXPECT_EQ(memcmp(alone.data(), together.data(), alone.size() * 8), 0);
}

TEST(InterpolateAxis, SameBytesWithManyThreads) {
  Elements x = randomNumbersOf({40, 50, 60}, 2);
  std::vector<double> at;
  for (int64_t i = 0; i < 97; ++i)
    at.push_back(i * 0.41);
  for (int64_t axis = 0; axis < 3; ++axis)
    expectSameOnThreads([&] {
      auto weights = axisWeights(at, x.dim(axis), {{true}, 3, true});
      return interpolateAxis(x, axis, *weights);
    });
}

TEST(SamplePoints, SameBytesWithManyThreads) {
  Elements x = randomNumbersOf({2, 3, 8, 9}, 3),
           points = randomNumbersOf({2, 31, 17, 2}, 4);
  expectSameOnThreads(
      [&] { return samplePoints(x, points, {.filter = {true}}); });
}

/// A linear image has the value of each place, also between its elements.
TEST(SamplePoints, OfALinearImage) {
  Elements x = Elements::build<double>({1, 1, 4, 5, 6}, [](auto out) {
    for (int64_t i = 0; i < 120; ++i)
      out[i] = i / 30 * 100 + i / 6 % 5 * 10 + i % 6;
  });
  // In [-0.3, 0.3], so that cubic meets nothing outside.
  Elements points = Elements::build<double>({1, 50, 1, 1, 3}, [](auto out) {
    std::mt19937 random(5);
    for (double &v : out)
      v = double(random() % 600) / 1000 - 0.3;
  });
  std::vector<double> at = points.values<double>();
  for (bool cubic : {false, true}) {
    // -0.5: the coefficient that keeps straight lines.
    SamplingOptions options{{cubic, -0.5}, SamplePadding::Border, true};
    std::vector<double> got = samplePoints(x, points, options).values<double>();
    for (int64_t i = 0; i < 50; ++i) {
      double want = (at[i * 3 + 2] + 1) / 2 * 300 +
                    (at[i * 3 + 1] + 1) / 2 * 40 + (at[i * 3] + 1) / 2 * 5;
      EXPECT_NEAR(got[i], want, 1e-11) << cubic;
    }
  }
}

TEST(NearestToPoints, ReflectsAgainAndAgain) {
  // Places -7 to 6 of three elements: at half pixels 0 0 1 1 2 2 ..., between
  // centres 0 1 2 1 0.
  Elements points = Elements::build<double>({1, 14, 1}, [](auto out) {
    for (int64_t i = 0; i < 14; ++i)
      out[i] = (2.0 * (i - 7) + 1) / 3 - 1;
  });
  SamplingOptions edges{.padding = SamplePadding::Reflection};
  EXPECT_EQ(nearestToPoints(points, {3}, edges).values<int64_t>(),
            std::vector<int64_t>({0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0}));
  Elements centres = Elements::build<double>({1, 14, 1}, [](auto out) {
    for (int64_t i = 0; i < 14; ++i)
      out[i] = i - 8;
  });
  edges.alignCorners = true;
  EXPECT_EQ(nearestToPoints(centres, {3}, edges).values<int64_t>(),
            std::vector<int64_t>({1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2}));
  // The edges, -0.5 and 2.5, go to even.
  EXPECT_EQ(nearestToPoints(centres, {3}, {}).values<int64_t>(),
            std::vector<int64_t>(
                {-1, -1, -1, -1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1}));
}
