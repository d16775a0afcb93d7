//===- NonMaxSuppression.cpp - Boxes that overlap no better ones ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/nn/NonMaxSuppression.h"
#include "onnxfold/elements/BuildKept.h"
#include "onnxfold/elements/memory/Parallel.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

struct Box {
  double left, right, top, bottom;

  Box(const double *v, bool centred)
      : left(centred ? v[0] - v[2] / 2 : std::min(v[1], v[3])),
        right(centred ? v[0] + v[2] / 2 : std::max(v[1], v[3])),
        top(centred ? v[1] - v[3] / 2 : std::min(v[0], v[2])),
        bottom(centred ? v[1] + v[3] / 2 : std::max(v[0], v[2])) {}

  double area() const { return (right - left) * (bottom - top); }
};

} // namespace

static bool overlap(const Box &a, const Box &b, float threshold) {
  double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (width <= 0 || height <= 0 || a.area() <= 0 || b.area() <= 0)
    return false;
  double both = width * height;
  return float(both / (a.area() + b.area() - both)) > threshold;
}

/// The boxes of one batch that are taken in one class.
static std::vector<int64_t>
selectInClass(const double *boxes, const double *scores, int64_t count,
              const NonMaxSuppressionOptions &options) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < count; ++i)
    if (!options.scoreThreshold || scores[i] > *options.scoreThreshold)
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  std::vector<Box> taken;
  std::vector<int64_t> numbers;
  for (int64_t i : order) {
    if (int64_t(taken.size()) >= options.most)
      break;
    Box box(boxes + i * 4, options.centred);
    if (llvm::any_of(taken, [&](const Box &other) {
          return overlap(box, other, options.iouThreshold);
        }))
      continue;
    taken.push_back(box);
    numbers.push_back(i);
  }
  return numbers;
}

Elements ops::nonMaxSuppression(const Elements &boxes, const Elements &scores,
                                const NonMaxSuppressionOptions &options) {
  if (!boxes || !scores)
    return {};
  assert(boxes.type() == DataType::Float64 &&
         scores.type() == DataType::Float64);
  int64_t classes = scores.dim(1), count = scores.dim(2);
  std::vector<std::vector<int64_t>> taken(scores.dim(0) * classes);
  {
    ElementsArray<double> corners(boxes), values(scores);
    parallelFor(taken.size(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        taken[i] = selectInClass(corners.data() + i / classes * count * 4,
                                 values.data() + i * count, count, options);
    });
  }
  int64_t total = 0;
  for (const auto &numbers : taken)
    total += numbers.size();
  return buildKept<int64_t>({total, 3}, [&](auto out) {
    int64_t *to = out.data();
    for (size_t i = 0; i < taken.size(); ++i)
      for (int64_t box : taken[i]) {
        *to++ = int64_t(i) / classes;
        *to++ = int64_t(i) % classes;
        *to++ = box;
      }
  });
}
