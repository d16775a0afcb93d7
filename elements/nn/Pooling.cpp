//===- Pooling.cpp - Sums and maxima of sliding windows -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tap by tap over a block of positions, so that the inner loops run along rows.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/nn/Pooling.h"
#include "onnxfold/elements/internal/Odometer.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/internal/Window.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Positions at a time: accumulators and indices of a block fit the L1 cache.
static constexpr int64_t blockPositions = 1024;

/// Taps that are summed one after the other.
static constexpr int64_t tapsOfLeaf = 8;

static bool fitsDouble(DataType type) {
  return isNumeric(type) && byteWidth(type) * 8 <= (isInteger(type) ? 32 : 64);
}

static Shape resultShape(const Elements &x, const SlidingWindows &windows) {
  assert(x.rank() == int64_t(windows.rank()) + 2);
  Shape shape = {x.dim(0), x.dim(1)};
  shape.append(windows.positions);
  return shape;
}

/// Calls body(image as doubles, number of the image) for all, in parallel.
template <class F>
static void forEachImage(const Elements &x, const SlidingWindows &w, F body) {
  Elements::Reader reader(x);
  int64_t size = numElements(w.image);
  double work = double(numElements(w.positions)) * numElements(w.kernel);
  int64_t grain = std::clamp<double>((1 << 16) / work, 1, 1 << 16);
  parallelFor(x.dim(0) * x.dim(1), grain, [&](int64_t begin, int64_t end) {
    Window window(reader, x.size(), x.type(), DataType::Float64);
    for (int64_t i = begin; i < end; ++i)
      body(window.get<double>(i * size, size), i);
  });
}

namespace {

/// Sums of one block of positions: leaves of taps, added as a binary counter
/// counts.
class BlockSums {
public:
  explicit BlockSums(const SlidingWindows &windows)
      : w(windows), taps(numElements(windows.kernel)),
        steps(windows.rank(), 0) {}

  void run(const double *image, int64_t begin, int64_t end, double *out) {
    count = end - begin;
    sum.assign(count, 0);
    int64_t leaves = 0, stride = w.strides.back();
    Odometer tap(w.kernel, steps, 0);
    for (int64_t t = 0; t < taps; ++t, tap.next()) {
      if (t > 0 && t % tapsOfLeaf == 0)
        carry(leaves++);
      w.forEachRun(tap, begin, end, [&](int64_t p, int64_t at, int64_t n) {
        double *to = sum.data() + (p - begin);
        if (at >= 0)
          for (int64_t i = 0; i < n; ++i)
            to[i] += image[at + i * stride];
      });
    }
    for (size_t level = 0; leaves >> level; ++level)
      if (leaves >> level & 1)
        addTo(sum, pending[level]);
    std::copy(sum.begin(), sum.end(), out);
  }

private:
  /// `sum` is leaf number `leaf`: combines it with all that it completes.
  void carry(int64_t leaf) {
    size_t level = 0;
    for (; leaf >> level & 1; ++level)
      addTo(sum, pending[level]);
    if (pending.size() <= level)
      pending.resize(level + 1);
    std::swap(pending[level], sum);
    sum.assign(count, 0);
  }

  static void addTo(std::vector<double> &to, const std::vector<double> &from) {
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = from[i] + to[i];
  }

  const SlidingWindows &w;
  int64_t taps, count = 0;
  Shape steps;
  std::vector<double> sum;
  std::vector<std::vector<double>> pending;
};

} // namespace

Elements ops::windowSums(const Elements &x, const SlidingWindows &w) {
  if (!x)
    return {};
  if (!fitsDouble(x.type()))
    return {};
  Shape shape = resultShape(x, w);
  return Elements::deferred(DataType::Float64, shape, {x}, [x, w](char *out) {
    int64_t count = numElements(w.positions);
    auto *results = reinterpret_cast<double *>(out);
    forEachImage(x, w, [&](const double *image, int64_t number) {
      BlockSums sums(w);
      for (int64_t p = 0; p < count; p += blockPositions)
        sums.run(image, p, std::min(count, p + blockPositions),
                 results + number * count + p);
    });
  });
}

/// The largest elements of the positions [begin, end), and where they are.
static void findMaxima(const SlidingWindows &w, const double *image,
                       int64_t begin, int64_t end, int64_t *indices) {
  Shape steps(w.rank(), 0);
  int64_t taps = numElements(w.kernel), stride = w.strides.back();
  std::vector<double> best(end - begin);
  std::fill_n(indices, end - begin, -1);
  Odometer tap(w.kernel, steps, 0);
  for (int64_t t = 0; t < taps; ++t, tap.next())
    w.forEachRun(tap, begin, end, [&](int64_t p, int64_t at, int64_t n) {
      if (at < 0)
        return;
      double *to = best.data() + (p - begin);
      int64_t *index = indices + (p - begin);
      for (int64_t i = 0; i < n; ++i, at += stride)
        if (index[i] < 0 || image[at] > to[i] ||
            (isNan(image[at]) && !isNan(to[i]))) {
          to[i] = image[at];
          index[i] = at;
        }
    });
}

Elements ops::windowMaxima(const Elements &x, const SlidingWindows &w) {
  if (!x)
    return {};
  if (!fitsDouble(x.type()))
    return {};
  Shape shape = resultShape(x, w);
  return Elements::deferred(DataType::Int64, shape, {x}, [x, w](char *out) {
    int64_t count = numElements(w.positions), size = numElements(w.image);
    auto *results = reinterpret_cast<int64_t *>(out);
    forEachImage(x, w, [&](const double *image, int64_t number) {
      for (int64_t p = 0; p < count; p += blockPositions) {
        int64_t *to = results + number * count + p;
        int64_t n = std::min(count - p, blockPositions);
        findMaxima(w, image, p, p + n, to);
        for (int64_t i = 0; i < n; ++i)
          to[i] += number * size;
      }
    });
  });
}

Elements ops::windowCounts(const SlidingWindows &w, bool withPads) {
  return Elements::deferred(
      DataType::Float64, w.positions, {}, [w, withPads](char *out) {
        auto *counts = reinterpret_cast<double *>(out);
        std::fill_n(counts, numElements(w.positions), 1);
        int64_t outer = 1, inner = numElements(w.positions);
        for (size_t d = 0; inner != 0 && d < w.rank(); ++d) {
          inner /= w.positions[d];
          for (int64_t i = 0; i < outer * w.positions[d]; ++i) {
            double taps = w.tapsInside(d, i % w.positions[d], withPads);
            for (int64_t j = 0; j < inner; ++j)
              counts[i * inner + j] *= taps;
          }
          outer *= w.positions[d];
        }
      });
}
