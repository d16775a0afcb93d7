//===- NonMaxSuppressionTest.cpp - Boxes that overlap no better ones ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernel's tests compare with ONNX Runtime and the reference evaluator;
// here is what those cannot show.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/nn/NonMaxSuppression.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"
#include <random>

using namespace onnxfold;
using namespace onnxfold::ops;

TEST(NonMaxSuppression, SameChoiceOnThreads) {
  // Many classes, so that several threads have some; each takes the best of two
  // that overlap.
  Elements boxes = Elements::fromValues<double>(
      {1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.75, 0, 2, 1, 3});
  std::mt19937 random(6);
  Elements scores = Elements::build<double>({1, 300, 3}, [&](auto out) {
    for (double &v : out)
      v = double(random() % 2001) / 1000 - 1;
  });
  std::vector<double> values = scores.values<double>();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  ParallelScope scope(pool);
  Elements taken =
      nonMaxSuppression(boxes, scores, {.most = 3, .iouThreshold = 0.5f});
  ASSERT_EQ(taken.shape(), ShapeRef({600, 3}));
  for (int64_t c = 0; c < 300; ++c) {
    const double *s = values.data() + c * 3;
    int64_t best = s[1] > s[0] ? 1 : 0;
    bool third = s[2] > s[best];
    EXPECT_EQ(taken.value<int64_t>(c * 6 + 1), c);
    EXPECT_EQ(taken.value<int64_t>(c * 6 + 2), third ? 2 : best);
    EXPECT_EQ(taken.value<int64_t>(c * 6 + 5), third ? best : 2);
  }
}
