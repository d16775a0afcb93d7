//===- PadTest.cpp - Padding of large tensors -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// DataMovementTest.cpp has all modes on small ones.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"
#include <malloc.h>

using namespace onnxfold;
using namespace onnxfold::ops;

/// The index into a dimension of size n, by the formulas of numpy.pad.
static int64_t sourceOf(int64_t i, int64_t n, PadMode mode) {
  if (mode == PadMode::Edge)
    return std::clamp<int64_t>(i, 0, n - 1);
  if (mode == PadMode::Wrap)
    return ((i % n) + n) % n;
  int64_t period = std::max<int64_t>(1, 2 * (n - 1));
  int64_t phase = ((i % period) + period) % period;
  return std::min(phase, period - phase);
}

/// Checks the value at many places of y, among them all borders.
template <class T>
static void expectPadded(const Elements &y, const Naive<T> &x, ShapeRef begins,
                         PadMode mode, T fill) {
  ElementsArray<T> values(y);
  Shape index(y.rank(), 0);
  for (int64_t number = 0; number < y.size(); ++number) {
    Shape source(index);
    bool isFill = false;
    for (int64_t d = 0; d < y.rank(); ++d) {
      int64_t i = index[d] - begins[d], n = x.shape[d];
      isFill |= mode == PadMode::Constant && (i < 0 || i >= n);
      source[d] = isFill ? 0 : sourceOf(i, n, mode);
    }
    ASSERT_EQ(values[number], isFill ? fill : x(source)) << number;
    for (int64_t d = y.rank(); d-- > 0 && ++index[d] == y.dim(d);)
      index[d] = 0;
  }
}

// Results above 4 MB are written past the caches, in runs of every length.
TEST(Pad, LargeInAllModes) {
  for (Shape shape : {Shape{1500000}, Shape{1200, 1000}, Shape{3, 400, 1001},
                      Shape{7, 200001}, Shape{300000, 5}})
    for (int mode = 0; mode < 4; ++mode) {
      SCOPED_TRACE(toString(shape) + " mode " + std::to_string(mode));
      Naive<float> x = counting<float>(shape);
      Shape begins(shape.size(), 3), ends(shape.size(), 1);
      begins.back() = mode + 1;
      Elements y = pad(x.elements(), begins, ends, PadMode(mode),
                       Elements::fromValues<float>({}, {-1}));
      expectPadded(y, x, begins, PadMode(mode), -1.0f);
      // Of a program, on threads: the same bits.
      llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
      ParallelScope scope(pool);
      Elements program =
          map(x.elements(), [](auto v) { return decltype(v)(v + 0); });
      EXPECT_TRUE(pad(program, begins, ends, PadMode(mode),
                      Elements::fromValues<float>({}, {-1}))
                      .identicalTo(y));
    }
}

TEST(Pad, FarBeyondTheSource) {
  for (int mode = 0; mode < 4; ++mode) {
    Naive<uint16_t> x = counting<uint16_t>({5});
    Elements y = pad(x.elements(), {700001}, {900003}, PadMode(mode));
    expectPadded<uint16_t>(y, x, {700001}, PadMode(mode), 0);
    Naive<int8_t> one = counting<int8_t>({1, 2});
    Elements z = pad(one.elements(), {2000, 1}, {10, 0}, PadMode(mode));
    expectPadded<int8_t>(z, one, {2000, 1}, PadMode(mode), 0);
  }
}

// An early version kept the source of every index: 8 bytes for each element of
// a vector, as long as the deferred result lived, and the padding value as
// often as a row below the padded dimension has elements.
TEST(Pad, DeferredTakesNoMemory) {
  auto allocated = [] {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  Elements vector = counting<int8_t>({8}).elements();
  Elements wide = Elements::splat<float>({2, 4 << 20}, 1);
  size_t before = allocated();
  Elements y = pad(vector, {8 << 20}, {8 << 20}, PadMode::Reflect);
  Elements z = pad(wide, {1, 0}, {1, 0});
  EXPECT_LT(allocated(), before + 100000);
  EXPECT_EQ(y.value<int8_t>((8 << 20) + 3), 3);
  EXPECT_EQ(z.value<float>((4 << 20) - 1), 0);
  EXPECT_EQ(z.value<float>(4 << 20), 1);
}
