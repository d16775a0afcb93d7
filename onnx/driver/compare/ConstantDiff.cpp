//===- ConstantDiff.cpp - By how much two constants differ ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/internal/ConstantDiff.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace onnxfold;

static std::string typeAndShape(const Elements &value) {
  return (name(value.type()) + toString(value.shape())).str();
}

/// "[1, 2]": the indices of the element with this row-major number.
static std::string placeOf(int64_t number, ShapeRef shape) {
  Shape indices(shape.begin(), shape.end());
  for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis) {
    indices[axis] = number % shape[axis];
    number /= shape[axis];
  }
  return toString(indices);
}

/// The shortest text of a number that is precise enough to compare.
static std::string numberText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

static bool hasNumbers(DataType type) {
  return type != DataType::String && type != DataType::Complex64 &&
         type != DataType::Complex128;
}

namespace {
/// The differences of the blocks of two constants of one type and shape.
struct Differences {
  int64_t count = 0;
  double most = -1, before = 0, after = 0; ///< where they are furthest apart
  int64_t at = 0;

  void note(int64_t number, double x, double y) {
    double apart = std::fabs(x - y);
    if (std::isnan(apart)) // a NaN, or equal infinities of other bits
      apart = std::isnan(x) != std::isnan(y) ? HUGE_VAL : 0;
    if (apart <= most)
      return;
    most = apart;
    at = number;
    before = x;
    after = y;
  }
};
} // namespace

static Differences compareNumbers(const Elements &before,
                                  const Elements &after) {
  constexpr int64_t block = 1 << 14;
  Differences found;
  size_t width = byteWidth(before.type());
  std::vector<std::max_align_t> left(block * width / sizeof(std::max_align_t) +
                                     1),
      right(left.size());
  std::vector<double> x(block), y(block);
  Elements wideBefore = ops::cast(before, DataType::Float64),
           wideAfter = ops::cast(after, DataType::Float64);
  for (int64_t first = 0; first < before.size(); first += block) {
    int64_t count = std::min(block, before.size() - first);
    before.read(first, count, left.data());
    after.read(first, count, right.data());
    if (std::memcmp(left.data(), right.data(), count * width) == 0)
      continue;
    wideBefore.read(first, count, x.data());
    wideAfter.read(first, count, y.data());
    auto *a = reinterpret_cast<const char *>(left.data());
    auto *b = reinterpret_cast<const char *>(right.data());
    for (int64_t i = 0; i < count; ++i)
      if (std::memcmp(a + i * width, b + i * width, width) != 0) {
        ++found.count;
        found.note(first + i, x[i], y[i]);
      }
  }
  return found;
}

std::string onnxfold::differenceOf(const Elements &before,
                                   const Elements &after) {
  if (!before || !after)
    return !before && !after ? "" : "one of them cannot be read";
  if (before.type() != after.type() || before.shape() != after.shape())
    return typeAndShape(after) + ", was " + typeAndShape(before);
  if (before.identicalTo(after))
    return "";
  if (!hasNumbers(before.type()))
    return "other values of " + typeAndShape(before);
  Differences found = compareNumbers(before, after);
  return llvm::formatv("{0} of {1} elements differ, by at most {2}: at {3} "
                       "{4}, was {5}",
                       found.count, before.size(), numberText(found.most),
                       placeOf(found.at, before.shape()),
                       numberText(found.after), numberText(found.before))
      .str();
}
