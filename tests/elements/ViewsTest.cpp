//===- ViewsTest.cpp - Views of views against index arithmetic ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

/// A value that tells which element it is, in each of the tested types.
template <class T> T valueOf(int64_t id) {
  if constexpr (std::is_same_v<T, llvm::StringRef>) {
    static auto &pool = *new std::vector<std::string>;
    while (pool.size() < 4096)
      pool.push_back("string " + std::to_string(pool.size()));
    return pool[id % 4096];
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return {double(id), -double(id)};
  } else {
    return T(id);
  }
}

template <class T> Naive<T> tagged(ShapeRef shape) {
  int64_t next = 0;
  return Naive<T>::make(shape, [&](ShapeRef) { return valueOf<T>(next++); });
}

template <class T> Elements elementsOf(const Naive<T> &x) {
  if constexpr (std::is_same_v<T, llvm::StringRef>)
    return Elements::fromStrings(x.shape, x.values);
  else
    return x.elements();
}

/// A tensor and what it ought to be; applies one view to both.
template <class T> struct Pair {
  Elements actual;
  Naive<T> expected;

  void transpose(ShapeRef perm) {
    Shape shape;
    for (int64_t p : perm)
      shape.push_back(expected.shape[p]);
    actual = actual.transpose(perm);
    Naive<T> from = expected;
    expected = Naive<T>::make(shape, [&](ShapeRef index) {
      Shape source(index.size());
      for (size_t d = 0; d < index.size(); ++d)
        source[perm[d]] = index[d];
      return from(source);
    });
  }

  void slice(ShapeRef starts, ShapeRef sizes, ShapeRef steps) {
    actual = actual.slice(starts, sizes, steps);
    Naive<T> from = expected;
    expected = Naive<T>::make(sizes, [&](ShapeRef index) {
      Shape source(index.size());
      for (size_t d = 0; d < index.size(); ++d)
        source[d] = starts[d] + index[d] * steps[d];
      return from(source);
    });
  }

  void expand(ShapeRef shape) {
    actual = actual.expand(shape);
    Naive<T> from = expected;
    size_t lead = shape.size() - from.shape.size();
    expected = Naive<T>::make(shape, [&](ShapeRef index) {
      Shape source;
      for (size_t d = 0; d < from.shape.size(); ++d)
        source.push_back(from.shape[d] == 1 ? 0 : index[lead + d]);
      return from(source);
    });
  }

  void reshape(ShapeRef shape) {
    actual = actual.reshape(shape);
    expected.shape = Shape(shape);
  }

  void step(Random &random) {
    Shape shape = expected.shape;
    int64_t rank = shape.size();
    switch (random.integer(0, 4)) {
    case 0:
      return transpose(random.permutation(rank));
    case 1: {
      Shape starts, sizes, steps;
      for (int64_t n : shape) {
        steps.push_back(random.integer(-3, 3));
        sizes.push_back(n == 0 ? 0 : random.integer(n > 3, n));
        int64_t reach =
            std::max<int64_t>(0, sizes.back() - 1) * std::abs(steps.back());
        if (reach >= n) {
          steps.back() = steps.back() < 0 ? -1 : 1;
          reach = std::max<int64_t>(0, sizes.back() - 1);
        }
        int64_t low = n == 0 ? 0 : random.integer(0, n - 1 - reach);
        starts.push_back(steps.back() < 0 ? low + reach : low);
      }
      return slice(starts, sizes, steps);
    }
    case 2: {
      for (int64_t &n : shape)
        if (n == 1 && numElements(shape) < 2000)
          n = random.integer(1, 4);
      if (numElements(shape) < 2000 && rank < 5)
        shape.insert(shape.begin(), random.integer(1, 2));
      return expand(shape);
    }
    case 3: {
      Shape axes, unit = shape;
      unit.insert(unit.begin() + random.integer(0, rank), 1);
      return rank < 6 ? reshape(unit) : reshape({numElements(shape)});
    }
    default: // merge two dimensions, or split one
      if (rank >= 2) {
        int64_t d = random.integer(0, rank - 2);
        shape[d] *= shape[d + 1];
        shape.erase(shape.begin() + d + 1);
      } else if (rank == 1 && shape[0] % 2 == 0) {
        shape = {shape[0] / 2, 2};
      }
      return reshape(shape);
    }
  }
};

template <class T> class Views : public testing::Test {};
using ViewedTypes = testing::Types<uint8_t, uint16_t, float, int64_t,
                                   std::complex<double>, llvm::StringRef>;
TYPED_TEST_SUITE(Views, ViewedTypes);

} // namespace

TYPED_TEST(Views, RandomChains) {
  for (unsigned seed = 0; seed < 120; ++seed) {
    Random random(seed);
    Naive<TypeParam> start =
        tagged<TypeParam>(random.shape(random.integer(0, 4), seed % 9 != 0, 7));
    Pair<TypeParam> pair{elementsOf(start), start};
    for (int i = 0; i < 6; ++i) {
      pair.step(random);
      expectEqual(pair.actual, pair.expected);
      if (this->HasFatalFailure())
        return;
    }
  }
}

// The same chains on a program: its leaves are moved under its steps.
TEST(Views, RandomChainsOfPrograms) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Naive<int64_t> start =
        tagged<int64_t>(random.shape(random.integer(1, 4), 1, 6));
    Pair<int64_t> pair{
        zip(start.elements(), start.elements(),
            [](auto a, auto b) { return decltype(a)(a + 3 * b); }),
        start};
    for (int64_t &value : pair.expected.values)
      value *= 4;
    Elements other = pair.actual; // uses of it share what is computed
    for (int i = 0; i < 5; ++i) {
      pair.step(random);
      expectEqual(pair.actual, pair.expected);
    }
    EXPECT_TRUE(other.identicalTo(map(other, [](auto v) { return v; })));
    if (HasFatalFailure())
      return;
  }
}

// Large enough for tiles, bands and streaming, with every width.
TYPED_TEST(Views, LargeTranspositions) {
  using T = TypeParam;
  struct Case {
    Shape shape, perm;
  };
  for (const Case &c :
       {Case{{300, 257}, {1, 0}}, Case{{64, 1024}, {1, 0}},
        Case{{3, 20000}, {1, 0}}, Case{{20000, 3}, {1, 0}},
        Case{{7, 64, 65}, {0, 2, 1}}, Case{{31, 33, 35}, {2, 1, 0}},
        Case{{16, 17, 18, 19}, {3, 1, 0, 2}}}) {
    Naive<T> x = tagged<T>(c.shape);
    Pair<T> pair{elementsOf(x), x};
    pair.transpose(c.perm);
    expectEqual(pair.actual, pair.expected);
    // Backwards too: a stride of -1 along the partner of the tiles.
    Shape starts, steps(c.shape.size(), -1);
    for (int64_t n : pair.expected.shape)
      starts.push_back(n - 1);
    pair.slice(starts, Shape(pair.expected.shape), steps);
    expectEqual(pair.actual, pair.expected);
  }
}

TEST(Views, StreamedTransposition) {
  // Above the bound from which lines are written past the caches.
  Naive<float> x = counting<float>({1040, 1056});
  Elements y = x.elements().transpose({1, 0});
  std::vector<float> whole = y.values<float>();
  ElementsArray<float> parts(y.reshape({1056 * 1040}));
  for (int64_t r = 0; r < 1056; ++r)
    for (int64_t c = 0; c < 1040; ++c) {
      ASSERT_EQ(whole[r * 1040 + c], x.values[c * 1056 + r]);
      ASSERT_EQ(parts[r * 1040 + c], x.values[c * 1056 + r]);
    }
}

// The three lists of a slice of rank 1 were once taken for an axis, a start and
// a size, silently.
TEST(Views, BracesOfRankOneAreLists) {
  Elements x = Elements::fromValues<int32_t>({5}, {0, 1, 2, 3, 4});
  EXPECT_EQ(x.slice({3}, {4}, {-1}).values<int32_t>(),
            (std::vector<int32_t>{3, 2, 1, 0}));
  EXPECT_EQ(x.slice(0, 1, 2).values<int32_t>(), (std::vector<int32_t>{1, 2}));
}

TEST(Views, Ranges) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Naive<int16_t> x = counting<int16_t>(random.shape(3, 1, 40));
    Shape perm = random.permutation(3);
    Elements y = x.elements().transpose(perm);
    if (seed % 2)
      y = map(y, [](auto v) { return v; });
    std::vector<int16_t> all = y.values<int16_t>();
    Elements::Reader reader(y);
    for (int i = 0; i < 20; ++i) {
      int64_t first = random.integer(0, y.size());
      int64_t count = random.integer(0, y.size() - first);
      std::vector<int16_t> part(count);
      reader.read(first, count, part.data());
      ASSERT_TRUE(std::equal(part.begin(), part.end(), all.begin() + first));
    }
  }
}

namespace {
/// Bytes at an odd address, as in a file.
class UnalignedBuffer : public Buffer {
public:
  explicit UnalignedBuffer(std::vector<char> values)
      : Buffer(values.size()), bytes(values.size() + 1) {
    std::copy(values.begin(), values.end(), bytes.begin() + 1);
  }
  const char *acquire() override { return bytes.data() + 1; }
  void release() override {}

private:
  std::vector<char> bytes;
};
} // namespace

TEST(Views, UnalignedBytes) {
  Naive<double> x = counting<double>({33, 37});
  std::vector<char> bytes(33 * 37 * 8);
  std::memcpy(bytes.data(), x.values.data(), bytes.size());
  Elements y =
      Elements::fromBuffer(DataType::Float64, {33, 37},
                           llvm::makeIntrusiveRefCnt<UnalignedBuffer>(bytes));
  EXPECT_EQ(Elements::Reader(y).contiguous(), nullptr);
  EXPECT_NE(Elements::Reader(y).contiguousBytes(), nullptr);
  expectEqual(y, x);
  Pair<double> pair{y, x};
  pair.transpose({1, 0});
  expectEqual(pair.actual, pair.expected);
  for (double &v : x.values)
    v *= 2;
  expectEqual(zip(y, y, [](auto a, auto b) { return add(a, b); }), x);
}

TEST(Views, ScalarsAndEmptyTensors) {
  Elements scalar = Elements::fromValues<float>({}, {3});
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(scalar.size(), 1);
  expectValues<float>(scalar.transpose({}), {}, {3});
  expectValues<float>(scalar.reshape({1, 1}), {1, 1}, {3});
  expectValues<float>(scalar.unsqueeze({0}).squeeze({0}), {}, {3});
  expectValues<float>(scalar.expand({2, 2}), {2, 2}, {3, 3, 3, 3});
  expectValues<float>(scalar.expand({0}), {0}, {});
  Elements empty = Elements::fromValues<float>({2, 0, 3}, {});
  EXPECT_EQ(empty.bytes(), 0u);
  // B12: reshaping a transposed tensor without elements.
  expectValues<float>(empty.transpose({2, 1, 0}).reshape({0, 7}), {0, 7}, {});
  expectValues<float>(empty.slice({0, 0, 0}, {1, 0, 2}, {1, 1, 1}), {1, 0, 2},
                      {});
  expectValues<float>(empty.materialize(), {2, 0, 3}, {});
  EXPECT_TRUE(empty.identicalTo(empty.transpose({0, 1, 2})));
  Elements sum = zip(empty, scalar, [](auto a, auto b) { return add(a, b); });
  expectValues<float>(sum, {2, 0, 3}, {});
}

TEST(Views, Splats) {
  Elements splat =
      Elements::splat(DataType::Float16, {1000, 1000}, WideNum::widen(1.5));
  EXPECT_TRUE(splat.isSplat());
  EXPECT_LE(splat.retainedBytes(), 2u);
  Elements twice = map(splat, [](auto v) { return v * 2; });
  EXPECT_TRUE(twice.isSplat());
  EXPECT_LE(twice.retainedBytes(), 2u);
  EXPECT_EQ(twice.number(123456).to<float>(), 3);
  EXPECT_TRUE(twice.transpose({1, 0}).isSplat());
  EXPECT_TRUE(twice.identicalTo(
      Elements::splat(DataType::Float16, {1000, 1000}, WideNum::widen(3))));
}

// A splat of infinity in f8E5M2 was its largest number: stored as a cast would.
TEST(Views, SplatOfInfinity) {
  Elements top =
      Elements::splat(DataType::Float8E5M2, {2}, WideNum::widen(-INFINITY));
  expectValues<Float8E5M2>(top, {2}, {{0xfc}, {0xfc}});
  Elements large =
      Elements::splat(DataType::Float8E5M2, {1}, WideNum::widen(1e9));
  expectValues<Float8E5M2>(large, {1}, {{0x7b}});
}

TEST(Views, SliceOfAxisAndIdentity) {
  Naive<int32_t> x = counting<int32_t>({4, 3});
  expectValues<int32_t>(x.elements().slice(0, 1, 2), {2, 3},
                        {3, 4, 5, 6, 7, 8});
  EXPECT_TRUE(x.elements().slice(0, 1, 2).isContiguous());
  EXPECT_FALSE(x.elements().slice(1, 1, 2).isContiguous());
  Elements nan = Elements::fromValues<float>({2}, {NAN, 0.0f});
  EXPECT_TRUE(nan.identicalTo(nan.reshape({1, 2}).reshape({2})));
  EXPECT_FALSE(nan.identicalTo(Elements::fromValues<float>({2}, {NAN, -0.0f})));
  EXPECT_FALSE(x.elements().identicalTo(x.elements().reshape({3, 4})));
}

TEST(Views, StringsKeepTheirCharacters) {
  Elements view;
  {
    std::vector<std::string> texts = {"one", "two", std::string(100, 'x'), ""};
    std::vector<llvm::StringRef> refs(texts.begin(), texts.end());
    view = Elements::fromStrings({2, 2}, refs)
               .transpose({1, 0})
               .reshape({4})
               .materialize();
  }
  std::vector<llvm::StringRef> values = view.values<llvm::StringRef>();
  EXPECT_EQ(values[1], std::string(100, 'x'));
  EXPECT_EQ(values[2], "two");
}

TEST(Views, ThreadsDoNotChangeResults) {
  Naive<float> x = counting<float>({257, 3, 511});
  Elements program = zip(x.elements().transpose({2, 1, 0}),
                         Elements::fromValues<float>({1}, {0.1f}),
                         [](auto a, auto b) { return multiply(a, b); });
  std::vector<float> expected = program.values<float>();
  for (unsigned threads : {1u, 2u, 7u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    EXPECT_EQ(program.values<float>(), expected);
    EXPECT_EQ(x.elements().transpose({2, 1, 0}).values<float>(),
              x.elements().transpose({2, 1, 0}).materialize().values<float>());
  }
}
