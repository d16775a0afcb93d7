//===- WindowsTest.cpp - Pooling and convolution of sliding windows -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Random geometry of one to four dimensions against sums over the formula of
// SlidingWindows.h, element by element. Values are small whole numbers, so that
// sums are exact in every order; sizes go beyond the blocks of positions and
// channels that the loops work in.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/elements/nn/DeformableConv.h"
#include "onnxfold/elements/nn/Pooling.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

using Doubles = Naive<double>;

static Doubles wholeNumbers(Random &random, ShapeRef shape) {
  return Doubles::make(shape,
                       [&](ShapeRef) { return double(random.integer(-4, 4)); });
}

/// Windows that fit, some of whose taps lie in the padding.
static SlidingWindows randomWindows(Random &random, int64_t rank,
                                    int64_t most) {
  SlidingWindows w;
  for (int64_t d = 0; d < rank; ++d) {
    w.kernel.push_back(random.integer(1, 3));
    w.dilations.push_back(random.integer(1, 2));
    w.strides.push_back(random.integer(1, 3));
    w.padsBegin.push_back(random.integer(0, 3));
    w.padsEnd.push_back(random.integer(0, 3));
    int64_t extent = (w.kernel[d] - 1) * w.dilations[d] + 1;
    w.image.push_back(extent + random.integer(0, most));
    int64_t room = w.image[d] + w.padsBegin[d] + w.padsEnd[d] - extent;
    w.positions.push_back(room / w.strides[d] + 1);
  }
  return w;
}

static Shape join(std::initializer_list<int64_t> first, ShapeRef rest) {
  Shape shape(first);
  shape.append(rest.begin(), rest.end());
  return shape;
}

/// Calls f(position, tap, index in the image) for all that meet.
static void
forEachMeeting(const SlidingWindows &w,
               const std::function<void(ShapeRef, ShapeRef, ShapeRef)> &f) {
  Doubles::make(w.positions, [&](ShapeRef position) {
    Doubles::make(w.kernel, [&](ShapeRef tap) {
      Shape at;
      for (size_t d = 0; d < w.rank(); ++d) {
        at.push_back(position[d] * w.strides[d] + tap[d] * w.dilations[d] -
                     w.padsBegin[d]);
        if (at[d] < 0 || at[d] >= w.image[d])
          return 0.0;
      }
      f(position, tap, at);
      return 0.0;
    });
    return 0.0;
  });
}

static Doubles zeros(ShapeRef shape) {
  return Doubles::make(shape, [](ShapeRef) { return 0.0; });
}

static void expectPooling(Random &random, const SlidingWindows &w) {
  Doubles x = wholeNumbers(random, join({2, 2}, w.image));
  Doubles sums = zeros(join({2, 2}, w.positions)), best = sums;
  Doubles counts = zeros(w.positions);
  std::vector<int64_t> places(sums.values.size(), -1);
  for (int64_t n : {0, 1})
    for (int64_t c : {0, 1})
      forEachMeeting(w, [&](ShapeRef position, ShapeRef, ShapeRef at) {
        int64_t to = sums.at(join({n, c}, position));
        int64_t from = x.at(join({n, c}, at));
        sums.values[to] += x.values[from];
        if (places[to] < 0 || x.values[from] > x.values[places[to]])
          places[to] = from;
        if (n + c == 0)
          counts.values[counts.at(position)] += 1;
      });
  Elements e = x.elements();
  EXPECT_EQ(windowSums(e, w).values<double>(), sums.values);
  EXPECT_EQ(windowCounts(w, false).values<double>(), counts.values);
  bool isEmpty = llvm::is_contained(counts.values, 0.0);
  EXPECT_EQ(w.hasEmptyWindow(false), isEmpty);
  if (!isEmpty) {
    EXPECT_EQ(windowMaxima(e, w).values<int64_t>(), places);
  }
}

static void expectConvolution(Random &random, const SlidingWindows &w,
                              int64_t groups, int64_t channels,
                              int64_t filters) {
  Doubles x = wholeNumbers(random, join({2, groups * channels}, w.image));
  Doubles k =
      wholeNumbers(random, join({groups * filters, channels}, w.kernel));
  Doubles y = zeros(join({2, groups * filters}, w.positions));
  Doubles z = wholeNumbers(random, y.shape), back = zeros(x.shape);
  forEachMeeting(w, [&](ShapeRef position, ShapeRef tap, ShapeRef at) {
    for (int64_t n : {0, 1})
      for (int64_t f = 0; f < groups * filters; ++f)
        for (int64_t c = 0; c < channels; ++c) {
          int64_t channel = f / filters * channels + c;
          double weight = k(join({f, c}, tap));
          int64_t to = y.at(join({n, f}, position));
          int64_t from = x.at(join({n, channel}, at));
          y.values[to] += x.values[from] * weight;
          back.values[from] += z.values[to] * weight;
        }
  });
  EXPECT_EQ(convolve(x.elements(), k.elements(), w, groups).values<double>(),
            y.values);
  EXPECT_EQ(convolveTransposed(z.elements(), k.elements(), w, groups)
                .values<double>(),
            back.values);
}

/// Offsets of 0 and no mask: the columns that the transposed sum adds up again.
static void expectColumns(Random &random, const SlidingWindows &w) {
  Doubles x = wholeNumbers(random, join({2, 2}, w.image));
  int64_t taps = numElements(w.kernel), positions = numElements(w.positions);
  Doubles columns = zeros({2, 2 * taps, positions}), sums = zeros(x.shape);
  Doubles kernel = zeros(w.kernel), grid = zeros(w.positions);
  forEachMeeting(w, [&](ShapeRef position, ShapeRef tap, ShapeRef at) {
    for (int64_t n : {0, 1})
      for (int64_t c : {0, 1}) {
        double value = x(join({n, c}, at));
        columns.values[columns.at(
            {n, c * taps + kernel.at(tap), grid.at(position)})] = value;
        sums.values[x.at(join({n, c}, at))] += value;
      }
  });
  Elements offset = Elements::splat<double>(
      join({2, 2 * taps * int64_t(w.rank())}, w.positions), 0);
  EXPECT_EQ(deformableColumns(x.elements(), offset, {}, w, 2).values<double>(),
            columns.values);
  EXPECT_EQ(sumOverlaps(columns.elements(), w).values<double>(), sums.values);
}

TEST(Windows, RandomGeometry) {
  int64_t count = std::getenv("ONNXFOLD_LONG") ? 2000 : 200;
  for (int64_t seed = 0; seed < count; ++seed) {
    Random random(seed);
    SlidingWindows w = randomWindows(random, random.integer(1, 4), 3);
    expectPooling(random, w);
    expectConvolution(random, w, random.integer(1, 3), random.integer(1, 3),
                      random.integer(1, 3));
    expectColumns(random, w);
  }
}

/// 2-D windows with as many positions as the image has elements.
static SlidingWindows sameSize(ShapeRef image, int64_t rows, int64_t cols) {
  SlidingWindows w;
  w.image = w.positions = Shape(image);
  w.kernel = {rows, cols};
  w.strides = w.dilations = {1, 1};
  w.padsBegin = w.padsEnd = {rows / 2, cols / 2};
  return w;
}

TEST(Windows, BeyondTheBlocks) {
  Random random(7);
  SlidingWindows w = sameSize({33, 40}, 5, 7); // 1320: beyond 1024 and 256
  expectPooling(random, w);
  expectConvolution(random, w, 1, 16, 3); // 16 * 35: beyond 512
}

TEST(Windows, SumsOfManyTapsArePairwise) {
  // Added one after the other, 2^53 + 1 + 1 ... is 2^53.
  SlidingWindows w;
  w.image = w.kernel = {1024};
  w.positions = w.strides = w.dilations = {1};
  w.padsBegin = w.padsEnd = {0};
  std::vector<double> values(1024, 1);
  values[0] = 0x1p53;
  Elements x = Elements::fromValues<double>({1, 1, 1024}, values);
  EXPECT_EQ(windowSums(x, w).value<double>(), 0x1p53 + 1016);
}

TEST(Windows, SameBytesWithThreads) {
  Random random(11);
  SlidingWindows w = sameSize({50, 60}, 3, 3);
  auto real = [&](ShapeRef shape) {
    return Doubles::make(shape, [&](ShapeRef) { return random.real(-2, 2); })
        .elements();
  };
  Elements x = real(join({2, 24}, w.image)), k = real(join({12, 8}, w.kernel));
  Elements z = real(join({2, 12}, w.positions));
  Elements alone[] = {windowSums(x, w).materialize(),
                      convolve(x, k, w, 3).materialize(),
                      convolveTransposed(z, k, w, 3).materialize()};
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(4));
  ParallelScope scope(pool);
  EXPECT_TRUE(windowSums(x, w).identicalTo(alone[0]));
  EXPECT_TRUE(convolve(x, k, w, 3).identicalTo(alone[1]));
  EXPECT_TRUE(convolveTransposed(z, k, w, 3).identicalTo(alone[2]));
}

TEST(Windows, NanHasOneBitPattern) {
  SlidingWindows w;
  w.image = w.positions = {3};
  w.kernel = w.strides = w.dilations = {1};
  w.padsBegin = w.padsEnd = {0};
  double odd = std::bit_cast<double>(uint64_t(0xFFF8000000000123));
  Elements x = Elements::fromValues<double>({1, 1, 3}, {odd, 1, 2});
  Elements k = Elements::fromValues<double>({1, 1, 1}, {1.0});
  for (const Elements &y :
       {convolve(x, k, w, 1), convolveTransposed(x, k, w, 1)})
    EXPECT_EQ(std::bit_cast<uint64_t>(y.value<double>()), 0x7FF8000000000000);
}
