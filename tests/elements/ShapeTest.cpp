//===- ShapeTest.cpp - Shapes, strides, broadcasting ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Shape.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <limits>
#include <vector>

using namespace onnxfold;

TEST(Shape, NumElements) {
  EXPECT_EQ(numElements({}), 1);
  EXPECT_EQ(numElements({2, 3}), 6);
  EXPECT_EQ(numElements({2, 0, 3}), 0);
  int64_t huge = int64_t(1) << 40;
  EXPECT_EQ(numElements({huge, huge, 0}), 0);
  EXPECT_EQ(checkedNumElements({huge, huge, 0}), 0);
  EXPECT_EQ(checkedNumElements({huge, huge}), std::nullopt);
  EXPECT_EQ(checkedNumElements({0, -1}), std::nullopt);
  EXPECT_EQ(checkedNumElements({huge, 4}), huge * 4);
}

TEST(Shape, Broadcast) {
  EXPECT_EQ(broadcastShapes({2, 1}, {3}), Shape({2, 3}));
  EXPECT_EQ(broadcastShapes({}, {3}), Shape({3}));
  EXPECT_EQ(broadcastShapes({1}, {0}), Shape({0}));
  EXPECT_EQ(broadcastShapes({0}, {1}), Shape({0}));
  EXPECT_EQ(broadcastShapes({0}, {2}), std::nullopt);
  EXPECT_EQ(broadcastShapes({2}, {3}), std::nullopt);
}

TEST(Shape, Axes) {
  EXPECT_EQ(normalizeAxis(-1, 3), 2);
  EXPECT_EQ(normalizeAxis(-4, 3), std::nullopt);
  EXPECT_EQ(normalizeAxis(0, 0), std::nullopt);
  EXPECT_EQ(normalizeAxes({0, -1}, 3), Shape({0, 2}));
  EXPECT_EQ(normalizeAxes({2, -1}, 3), std::nullopt);
  EXPECT_TRUE(isPermutation({1, 0}, 2));
  EXPECT_FALSE(isPermutation({1, 1}, 2));
  EXPECT_FALSE(isPermutation({-1, 0}, 2));
  EXPECT_TRUE(isPermutation({}, 0));
  EXPECT_EQ(reducedShape({2, 3, 4}, {1}, true), Shape({2, 1, 4}));
  EXPECT_EQ(reducedShape({2, 3, 4}, {0, 2}, false), Shape({3}));
}

TEST(Shape, ReshapeStrides) {
  EXPECT_EQ(reshapeStrides({2, 3}, {3, 1}, {3, 2}), Shape({2, 1}));
  EXPECT_EQ(reshapeStrides({2, 3}, {1, 2}, {6}), std::nullopt);
  EXPECT_EQ(reshapeStrides({2, 6}, {1, 2}, {2, 3, 2}), Shape({1, 4, 2}));
  EXPECT_EQ(reshapeStrides({4, 6}, {0, 1}, {2, 2, 6}), Shape({0, 0, 1}));
  EXPECT_EQ(reshapeStrides({4, 6}, {0, 1}, {24}), std::nullopt);
  EXPECT_EQ(reshapeStrides({1, 1}, {7, 9}, {}), Shape({}));
  EXPECT_EQ(reshapeStrides({6}, {-1}, {2, 3}), Shape({-3, -1}));
  // B12: a transposed tensor without elements takes every shape.
  EXPECT_TRUE(reshapeStrides({3, 0, 2}, {1, 6, 3}, {0, 5}).has_value());
}

/// The indices that the specification of ONNX Slice names, one by one.
static std::vector<int64_t> sliceNaively(int64_t dim, int64_t start,
                                         int64_t end, int64_t step) {
  std::vector<int64_t> indices;
  if (dim == 0)
    return indices;
  start = std::clamp<int64_t>(start < 0 ? start + dim : start, 0,
                              step > 0 ? dim : dim - 1);
  end = std::clamp<int64_t>(end < 0 ? end + dim : end, step > 0 ? 0 : -1,
                            step > 0 ? dim : dim - 1);
  for (int64_t i = start; step > 0 ? i < end : i > end; i += step)
    indices.push_back(i);
  return indices;
}

TEST(Shape, SliceRange) {
  for (int64_t dim = 0; dim <= 5; ++dim)
    for (int64_t start = -8; start <= 8; ++start)
      for (int64_t end = -8; end <= 8; ++end)
        for (int64_t step : {-7, -3, -2, -1, 1, 2, 3, 7}) {
          SliceRange range = sliceRange(dim, start, end, step);
          std::vector<int64_t> indices;
          for (int64_t i = 0; i < range.size; ++i)
            indices.push_back(range.start + i * range.step);
          ASSERT_EQ(indices, sliceNaively(dim, start, end, step))
              << dim << " [" << start << ":" << end << ":" << step << "]";
        }
}

TEST(Shape, SliceRangeExtremes) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  auto expectRange = [](SliceRange actual, int64_t start, int64_t size,
                        int64_t step) {
    EXPECT_EQ(actual.start, start);
    EXPECT_EQ(actual.size, size);
    EXPECT_EQ(actual.step, step);
  };
  expectRange(sliceRange(5, least, most, 1), 0, 5, 1);
  expectRange(sliceRange(5, most, least, -1), 4, 5, -1);
  expectRange(sliceRange(5, most, least, least), 4, 1, 1);
  expectRange(sliceRange(5, 0, most, most), 0, 1, 1);
  expectRange(sliceRange(most, 0, most, 1), 0, most, 1);
  expectRange(sliceRange(0, most, least, least), 0, 0, 1);
}

TEST(Shape, Text) {
  EXPECT_EQ(toString({}), "[]");
  EXPECT_EQ(toString({2, -1}), "[2, -1]");
}
