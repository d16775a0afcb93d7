//===- DataMovementTest.cpp - Moving elements against index arithmetic ----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {
template <class T> class DataMovement : public testing::Test {};
using MovedTypes =
    testing::Types<uint8_t, int16_t, float, int64_t, std::complex<double>>;
TYPED_TEST_SUITE(DataMovement, MovedTypes);
} // namespace

/// The tensor as one of several things that operations must take: a buffer, a
/// transposed view, a program.
template <class T>
static Elements disguised(const Naive<T> &x, Random &random) {
  Elements e = x.elements();
  switch (random.integer(0, 2)) {
  case 0:
    return e;
  case 1: {
    Shape reversed;
    for (int64_t d = e.rank(); d-- > 0;)
      reversed.push_back(d);
    return e.transpose(reversed).materialize().transpose(reversed);
  }
  default:
    return select(Elements::splat<bool>({}, true), e, e);
  }
}

static Naive<int64_t> randomIndices(Random &random, ShapeRef shape, int64_t n) {
  return Naive<int64_t>::make(
      shape, [&](ShapeRef) { return random.integer(-n, n - 1); });
}

static int64_t wrapped(int64_t i, int64_t n) { return i < 0 ? i + n : i; }

TYPED_TEST(DataMovement, Concat) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(1, 4), 1, 8);
    int64_t axis = random.integer(0, shape.size() - 1);
    std::vector<Naive<T>> parts;
    std::vector<Elements> elements;
    int64_t total = 0;
    for (int64_t i = random.integer(1, 5); i > 0; --i) {
      shape[axis] = random.integer(0, 6);
      total += shape[axis];
      parts.push_back(counting<T>(shape));
      elements.push_back(disguised(parts.back(), random));
    }
    shape[axis] = total;
    auto expected = Naive<T>::make(shape, [&](ShapeRef index) {
      Shape source(index);
      for (const Naive<T> &part : parts) {
        if (source[axis] < part.shape[axis])
          return part(source);
        source[axis] -= part.shape[axis];
      }
      return T();
    });
    expectEqual(concat(elements, axis), expected);
    if (this->HasFatalFailure())
      return;
  }
}

TYPED_TEST(DataMovement, Tile) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Naive<T> x =
        counting<T>(random.shape(random.integer(0, 4), seed % 7 != 0, 5));
    Shape repeats = random.shape(x.shape.size(), seed % 5 != 0, 3), shape;
    for (size_t d = 0; d < repeats.size(); ++d)
      shape.push_back(x.shape[d] * repeats[d]);
    auto expected = Naive<T>::make(shape, [&](ShapeRef index) {
      Shape source(index);
      for (size_t d = 0; d < source.size(); ++d)
        source[d] %= x.shape[d];
      return x(source);
    });
    expectEqual(tile(disguised(x, random), repeats), expected);
    if (this->HasFatalFailure())
      return;
  }
}

/// The source of padded index i, written as the walk that it describes.
static int64_t naivePadSource(int64_t i, int64_t n, PadMode mode) {
  int64_t at = 0, direction = i < 0 ? -1 : 1;
  for (int64_t step = 0; step < std::abs(i); ++step) {
    int64_t next = at + direction;
    if (next >= 0 && next < n) {
      at = next;
      continue;
    }
    if (mode == PadMode::Wrap)
      at = direction > 0 ? 0 : n - 1;
    else if (mode == PadMode::Reflect && n > 1) {
      direction = -direction;
      at += direction;
    }
  }
  return at;
}

// B4: negative counts crop, on either side, with every mode.
TYPED_TEST(DataMovement, Pad) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 240; ++seed) {
    Random random(seed);
    auto mode = PadMode(seed % 4);
    Naive<T> x = counting<T>(random.shape(random.integer(1, 4), 1, 5));
    Shape begins, ends, shape, kept, skip;
    for (int64_t n : x.shape) {
      begins.push_back(random.integer(-1, 1) * random.integer(0, n - 1));
      int64_t left = n + std::min<int64_t>(0, begins.back());
      ends.push_back(random.integer(-(left - 1), 7));
      shape.push_back(n + begins.back() + ends.back());
      kept.push_back(left + std::min<int64_t>(0, ends.back()));
      skip.push_back(std::max<int64_t>(0, -begins.back()));
    }
    T fill = T(77);
    auto expected = Naive<T>::make(shape, [&](ShapeRef index) {
      Shape source(index);
      for (size_t d = 0; d < source.size(); ++d) {
        int64_t i = index[d] - std::max<int64_t>(0, begins[d]);
        if (mode == PadMode::Constant && (i < 0 || i >= kept[d]))
          return fill;
        source[d] = skip[d] + naivePadSource(i, kept[d], mode);
      }
      return x(source);
    });
    expectEqual(pad(disguised(x, random), begins, ends, mode,
                    Elements::fromValues<T>({}, {fill})),
                expected);
    if (this->HasFatalFailure())
      return;
  }
}

TYPED_TEST(DataMovement, Gather) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 80; ++seed) {
    Random random(seed);
    Naive<T> x = counting<T>(random.shape(random.integer(1, 3), 1, 9));
    int64_t rank = x.shape.size(), axis = random.integer(0, rank - 1);
    Naive<int64_t> indices = randomIndices(
        random, random.shape(random.integer(0, 2), seed % 8 != 0, 5),
        x.shape[axis]);
    int64_t q = indices.shape.size();
    Shape shape(ShapeRef(x.shape).take_front(axis));
    shape.append(indices.shape);
    shape.append(x.shape.begin() + axis + 1, x.shape.end());
    auto expected = Naive<T>::make(shape, [&](ShapeRef index) {
      Shape source(index.take_front(axis));
      source.push_back(wrapped(indices(index.slice(axis, q)), x.shape[axis]));
      source.append(index.begin() + axis + q, index.end());
      return x(source);
    });
    Elements actual = disguised(x, random);
    expectEqual(gather(actual, indices.elements(), axis), expected);
    expectEqual(gather(actual, cast(indices.elements(), DataType::Int32), axis),
                expected);
    if (this->HasFatalFailure())
      return;
  }
}

TYPED_TEST(DataMovement, GatherAndScatterElements) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Naive<T> x = counting<T>(random.shape(random.integer(1, 4), 1, 6));
    int64_t rank = x.shape.size(), axis = random.integer(0, rank - 1);
    Shape shape;
    for (int64_t n : x.shape)
      shape.push_back(random.integer(seed % 9 != 0, n));
    Naive<int64_t> indices = randomIndices(random, shape, x.shape[axis]);
    auto at = [&](ShapeRef index) {
      Shape source(index);
      source[axis] = wrapped(indices(index), x.shape[axis]);
      return source;
    };
    Elements actual = disguised(x, random);
    expectEqual(gatherElements(actual, indices.elements(), axis),
                Naive<T>::make(shape, [&](ShapeRef i) { return x(at(i)); }));
    int64_t next = 100;
    auto updates = Naive<T>::make(shape, [&](ShapeRef) { return T(next++); });
    Naive<T> scattered = x;
    Naive<T>::make(shape, [&](ShapeRef index) {
      return scattered.values[scattered.at(at(index))] = updates(index);
    });
    expectEqual(
        scatterElements(actual, indices.elements(), updates.elements(), axis),
        scattered);
    if (this->HasFatalFailure())
      return;
  }
}

TYPED_TEST(DataMovement, GatherAndScatterND) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 80; ++seed) {
    Random random(seed);
    Naive<T> x = counting<T>(random.shape(random.integer(1, 4), 1, 5));
    int64_t rank = x.shape.size();
    int64_t batch = seed % 2 ? random.integer(0, rank - 1) : 0;
    int64_t length = random.integer(1, rank - batch);
    Shape tuples(ShapeRef(x.shape).take_front(batch));
    tuples.append(random.shape(random.integer(0, 2), seed % 10 != 0, 4));
    Shape full(tuples);
    full.push_back(length);
    auto indices = Naive<int64_t>::make(full, [&](ShapeRef index) {
      int64_t n = x.shape[batch + index.back()];
      return random.integer(-n, n - 1);
    });
    ShapeRef slice = ShapeRef(x.shape).drop_front(batch + length);
    Shape shape(tuples);
    shape.append(slice.begin(), slice.end());
    auto at = [&](ShapeRef index) {
      Shape source(index.take_front(batch)),
          tuple(index.take_front(tuples.size()));
      tuple.push_back(0);
      for (int64_t i = 0; i < length; ++i) {
        tuple.back() = i;
        source.push_back(wrapped(indices(tuple), x.shape[batch + i]));
      }
      source.append(index.begin() + tuples.size(), index.end());
      return source;
    };
    Elements actual = disguised(x, random);
    expectEqual(gatherND(actual, indices.elements(), batch),
                Naive<T>::make(shape, [&](ShapeRef i) { return x(at(i)); }));
    if (batch == 0) {
      int64_t next = 100;
      auto updates = Naive<T>::make(shape, [&](ShapeRef) { return T(next++); });
      Naive<T> scattered = x;
      Naive<T>::make(shape, [&](ShapeRef index) {
        return scattered.values[scattered.at(at(index))] = updates(index);
      });
      expectEqual(scatterND(actual, indices.elements(), updates.elements()),
                  scattered);
    }
    if (this->HasFatalFailure())
      return;
  }
}

TYPED_TEST(DataMovement, Trilu) {
  using T = TypeParam;
  for (int64_t k : {-9, -2, 0, 1, 9}) {
    Naive<T> x = Naive<T>::make({2, 3, 5}, [](ShapeRef) { return T(1); });
    for (bool upper : {true, false})
      expectEqual(trilu(x.elements(), upper, k),
                  Naive<T>::make(x.shape, [&](ShapeRef i) {
                    return T(upper ? i[2] - i[1] >= k : i[2] - i[1] <= k);
                  }));
  }
  expectValues<T>(trilu(Elements::fromValues<T>({0, 3}, {}), true), {0, 3}, {});
}

// Above the size from which results are deferred and loops are cut.
TEST(DataMovement, LargeResultsOnSeveralThreads) {
  Naive<float> x = counting<float>({300, 500});
  Elements e = x.elements(), reversed = e.slice({299, 0}, {300, 500}, {-1, 1});
  Elements rows = Elements::fromValues<int64_t>({4}, {7, -1, 7, 3});
  for (unsigned threads : {1u, 2u, 7u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    Elements both =
        concat({e, reversed, e.transpose({1, 0}).reshape({300, 500})}, 1);
    expectEqual(both, Naive<float>::make({300, 1500}, [&](ShapeRef i) {
                  if (i[1] < 500)
                    return x(i);
                  if (i[1] < 1000)
                    return x({299 - i[0], i[1] - 500});
                  int64_t n = i[0] * 500 + i[1] - 1000;
                  return x({n % 300, n / 300});
                }));
    Elements padded = pad(e, {1, 2}, {3, 4}, PadMode::Edge);
    expectEqual(padded, Naive<float>::make({304, 506}, [&](ShapeRef i) {
                  return x({std::clamp<int64_t>(i[0] - 1, 0, 299),
                            std::clamp<int64_t>(i[1] - 2, 0, 499)});
                }));
    expectEqual(gather(tile(e, {1, 3}), rows, 0),
                Naive<float>::make({4, 1500}, [&](ShapeRef i) {
                  int64_t row[] = {7, 299, 7, 3};
                  return x({row[i[0]], i[1] % 500});
                }));
    // A few rows of a program are computed alone.
    Elements twice = map(e, [](auto v) { return v * 2; });
    expectEqual(gather(twice, rows, 0),
                Naive<float>::make({4, 500}, [&](ShapeRef i) {
                  int64_t row[] = {7, 299, 7, 3};
                  return 2 * x({row[i[0]], i[1]});
                }));
  }
}

TEST(DataMovement, GatherOfOneOrEvenlySpacedIndicesIsAView) {
  Elements x = counting<float>({100, 500}).elements();
  Elements row = gather(x, Elements::fromValues<int64_t>({}, {-1}), 0);
  EXPECT_EQ(row.shape(), ShapeRef({500}));
  EXPECT_NE(Elements::Reader(row).contiguous(), nullptr);
  EXPECT_EQ(row.value<float>(0), 99 * 500);
  Elements even = gather(x, Elements::fromValues<int64_t>({3}, {9, 5, 1}), 1);
  EXPECT_EQ(even.value<float>(1), 5);
  EXPECT_EQ(even.retainedBytes(), x.retainedBytes());
}

TEST(DataMovement, RepeatedUpdates) {
  Elements x = counting<float>({2, 3}).elements();
  auto rows = [](std::initializer_list<int64_t> values) {
    return Elements::fromValues<int64_t>({int64_t(values.size()) / 2, 2},
                                         values);
  };
  // Along axis 0: column 0 twice at row 1 (-1), column 1 at different rows.
  EXPECT_EQ(firstRepeatedElement(x, rows({1, 0, -1, 1}), 0), 2);
  EXPECT_EQ(firstRepeatedElement(x, rows({1, 1, 0, 0}), 0), std::nullopt);
  EXPECT_EQ(firstRepeatedElement(x, rows({0, 2, 1, -2}), 1), 3);
  EXPECT_EQ(firstRepeatedElement(x, rows({}), 1), std::nullopt);
  EXPECT_EQ(firstRepeatedSlice(x, rows({0, 1, 1, 0, -2, -2})), 2);
  EXPECT_EQ(firstRepeatedSlice(x, rows({0, 1, 1, 0, -2, -1})), std::nullopt);
  Elements slices = Elements::fromValues<int64_t>({3, 1}, {0, 1, -2});
  EXPECT_EQ(firstRepeatedSlice(x, slices), 2);
  // Slices without elements write nothing twice.
  Elements empty = counting<float>({2, 0}).elements();
  EXPECT_EQ(firstRepeatedSlice(empty, slices), std::nullopt);
}

// B5, B3: indices are checked before, and -1 is the last element.
TEST(DataMovement, IndexChecks) {
  Elements i = Elements::fromValues<int64_t>({4}, {0, -3, 2, 3});
  EXPECT_EQ(firstOutOfRange(i, 4), std::nullopt);
  EXPECT_EQ(firstOutOfRange(i, 3), 3);
  EXPECT_EQ(firstOutOfRange(i, 2), 1);
  EXPECT_EQ(firstOutOfRange(Elements::fromValues<int32_t>({0}, {}), 0),
            std::nullopt);
  EXPECT_EQ(firstOutOfRange(Elements::fromValues<int64_t>({1}, {INT64_MIN}), 9),
            0);
  Elements tuples = Elements::fromValues<int64_t>({2, 2}, {0, 4, -3, -1});
  EXPECT_EQ(firstTupleOutOfRange(tuples, {2, 5}), 2);
  EXPECT_EQ(firstTupleOutOfRange(tuples, {3, 5}), std::nullopt);
  EXPECT_EQ(firstTupleOutOfRange(tuples, {9, 3, 4}, 1), 1);
  Elements x = Elements::fromValues<int32_t>({4}, {1, 2, 3, 4});
  expectValues<int32_t>(scatterND(x,
                                  Elements::fromValues<int64_t>({1, 1}, {-1}),
                                  Elements::fromValues<int32_t>({1}, {9})),
                        {4}, {1, 2, 3, 9});
  // B4
  expectValues<int32_t>(pad(x, {-1}, {0}), {3}, {2, 3, 4});
  expectValues<int32_t>(pad(x, {-5}, {2}), {1}, {0});
  expectValues<int32_t>(pad(x, {-1}, {-3}), {0}, {});
}

TEST(DataMovement, ScatterReductions) {
  Elements x = Elements::fromValues<float>({3}, {1, NAN, 3});
  Elements indices = Elements::fromValues<int64_t>({4}, {0, 1, 2, 0});
  Elements updates = Elements::fromValues<float>({4}, {5, 6, NAN, -2});
  auto run = [&](ScatterReduction r) {
    return scatterElements(x, indices, updates, 0, r);
  };
  expectValues<float>(run(ScatterReduction::None), {3}, {-2, 6, NAN});
  expectValues<float>(run(ScatterReduction::Add), {3}, {4, NAN, NAN});
  expectValues<float>(run(ScatterReduction::Mul), {3}, {-10, NAN, NAN});
  expectValues<float>(run(ScatterReduction::Min), {3}, {-2, NAN, NAN});
  expectValues<float>(run(ScatterReduction::Max), {3}, {5, NAN, NAN});
  Elements small = Elements::fromValues<int8_t>({1}, {100});
  Elements at = Elements::fromValues<int64_t>({1, 1}, {0});
  expectValues<int8_t>(scatterND(small, at, small, ScatterReduction::Add), {1},
                       {-56});
  Elements yes = Elements::fromValues<bool>({1}, {true});
  Elements no = Elements::fromValues<bool>({1}, {false});
  expectValues<bool>(scatterND(yes, at, no, ScatterReduction::Add), {1},
                     {true});
  expectValues<bool>(scatterND(yes, at, no, ScatterReduction::Mul), {1},
                     {false});
  Elements text = Elements::fromStrings({1}, {"a"});
  EXPECT_FALSE(bool(scatterND(text, at, text, ScatterReduction::Add)));
  // f16 sums are rounded after each addition: 2048 + 1 + 1 is 2048.
  Elements half =
      cast(Elements::fromValues<float>({1}, {2048}), DataType::Float16);
  Elements ones =
      cast(Elements::fromValues<float>({2}, {1, 1}), DataType::Float16);
  Elements twice = Elements::fromValues<int64_t>({2}, {0, 0});
  EXPECT_EQ(scatterElements(half, twice, ones, 0, ScatterReduction::Add)
                .number(0)
                .to<float>(),
            2048);
}

TEST(DataMovement, StringsAndSymbols) {
  Elements a = Elements::fromStrings({2}, {"one", "two"});
  Elements b = Elements::fromStrings({1}, {"a longer text than fits anywhere"});
  Elements all = concat({a, b}, 0);
  a = b = Elements();
  EXPECT_EQ(all.values<llvm::StringRef>()[2],
            "a longer text than fits anywhere");
  Elements picked = gather(pad(tile(all, {2}), {1}, {0}),
                           Elements::fromValues<int64_t>({4}, {0, 6, 1, 5}), 0);
  all = Elements();
  expectValues<llvm::StringRef>(
      picked, {4}, {"", "a longer text than fits anywhere", "one", "two"});
  Elements symbols =
      Elements::fromValues<Opaque64>({2}, {Opaque64{5}, Opaque64{6}});
  Elements moved = concat({symbols, symbols.slice(0, 1, 1)}, 0);
  EXPECT_EQ(moved.value<Opaque64>(2).id, 6);
}

TEST(DataMovement, Compress) {
  Elements x = counting<int32_t>({2, 3}).elements();
  Elements c = Elements::fromValues<bool>({3}, {true, false, true});
  expectValues<int32_t>(compress(x, c, 1), {2, 2}, {0, 2, 3, 5});
  expectValues<int32_t>(
      compress(x, Elements::fromValues<bool>({1}, {false}), 0), {0, 3}, {});
}

TEST(Generate, RangeCount) {
  auto count = [](auto a, auto b, auto c) {
    return rangeCount(WideNum::widen(a), WideNum::widen(b), WideNum::widen(c));
  };
  EXPECT_EQ(count(1, 10, 4), 3);
  EXPECT_EQ(count(10, 6, -3), 2);
  EXPECT_EQ(count(0, -5, 1), 0);
  EXPECT_EQ(count(0, 5, 0), std::nullopt);
  EXPECT_EQ(count(1.0, 5.0, 2.0), 2);
  EXPECT_EQ(count(0.0, 1.0, 0.1), 10);
  EXPECT_EQ(count(0.0, NAN, 1.0), std::nullopt);
  EXPECT_EQ(count(0.0, INFINITY, 1.0), std::nullopt);
  EXPECT_EQ(count(0.0, 1.0, 0.0), std::nullopt);
  EXPECT_EQ(count(INT64_MIN, INT64_MAX, INT64_MAX), 3);
  EXPECT_EQ(count(INT64_MIN, INT64_MAX, int64_t(1)), std::nullopt);
  EXPECT_EQ(count(INT64_MAX, INT64_MIN, INT64_MIN), 2);
}

TEST(Generate, Range) {
  expectValues<int32_t>(
      range(DataType::Int32, WideNum::widen(10), WideNum::widen(-3), 3), {3},
      {10, 7, 4});
  expectValues<int64_t>(range(DataType::Int64, WideNum::widen(INT64_MAX - 1),
                              WideNum::widen(1), 2),
                        {2}, {INT64_MAX - 1, INT64_MAX});
  Elements f = range(DataType::Float32, WideNum::widen(1.0f),
                     WideNum::widen(0.1f), 100000);
  for (int64_t i : {0, 1, 7, 99999})
    EXPECT_EQ(f.value<float>(i), float(1.0 + i * double(0.1f)));
  expectValues<float>(
      range(DataType::Float32, WideNum::widen(1.0), WideNum::widen(1.0), 0),
      {0}, {});
  EXPECT_FALSE(
      bool(range(DataType::Bool, WideNum::widen(0), WideNum::widen(1), 2)));
}

TEST(Generate, Masks) {
  expectValues<int64_t>(iota({2, 3}, 1), {2, 3}, {0, 1, 2, 0, 1, 2});
  expectValues<int64_t>(iota({2, 2}, 0), {2, 2}, {0, 0, 1, 1});
  expectValues<float>(eye(DataType::Float32, {2, 3}, 1), {2, 3},
                      {0, 1, 0, 0, 0, 1});
  Elements indices = Elements::fromValues<int32_t>({4}, {0, -1, 2, 5});
  Elements off = Elements::fromValues<int8_t>({}, {-1});
  Elements on = Elements::fromValues<int8_t>({1}, {1});
  expectValues<int8_t>(oneHot(indices, 3, 1, off, on), {4, 3},
                       {1, -1, -1, -1, -1, 1, -1, -1, 1, -1, -1, -1});
  expectValues<int8_t>(oneHot(indices, 3, 0, off, on), {3, 4},
                       {1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 1, -1});
  expectValues<int8_t>(
      oneHot(indices.slice(0, 0, 1).reshape({}), 2, 0, off, on), {2}, {1, -1});
}

// The examples of DataMovement.h and Generate.h.
TEST(DataMovement, RollIsTwoViews) {
  Elements x = counting<int32_t>({2, 5}).elements();
  auto roll = [](const Elements &x, int64_t k, int64_t axis) {
    int64_t n = x.dim(axis);
    std::vector<Elements> parts = x.split(axis, {n - k % n, k % n});
    return concat({parts[1], parts[0]}, axis);
  };
  expectValues<int32_t>(roll(x, 2, 1), {2, 5}, {3, 4, 0, 1, 2, 8, 9, 5, 6, 7});
  expectValues<int32_t>(roll(x, 1, 0), {2, 5}, {5, 6, 7, 8, 9, 0, 1, 2, 3, 4});
  EXPECT_TRUE(roll(x, 10, 1).identicalTo(x));
  expectValues<float>(range(DataType::Float32, WideNum::widen(1.0),
                            WideNum::widen((2.0 - 1.0) / 4), 5),
                      {5}, {1, 1.25f, 1.5f, 1.75f, 2});
}
