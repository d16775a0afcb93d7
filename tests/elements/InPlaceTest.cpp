//===- InPlaceTest.cpp - Results written over operands that die -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// What is written over is seen in the address of the result; that it was
// allowed, in the values of everybody else.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/tests/elements/MemoryTests.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

constexpr int64_t severalParts = 300000; // several parts for threads

const void *addressOf(const Elements &x) {
  return Elements::Reader(x).contiguous();
}

auto twice = [](auto v) { return add(v, v); };
auto plus = [](auto a, auto b) { return add(a, b); };

template <class T> Naive<T> doubled(Naive<T> x) {
  for (T &v : x.values)
    v += v;
  return x;
}

/// Bytes that are valid elements of `type`, the same for the same seed.
std::vector<char> validBytes(DataType type, int64_t count) {
  std::minstd_rand engine(byteWidth(type));
  std::vector<char> bytes(count * byteWidth(type));
  for (char &byte : bytes)
    byte = char(engine() >> 8);
  for (char &byte : bytes) {
    if (type == DataType::Bool)
      byte &= 1;
    else if (isSubByte(type) && isInteger(type))
      byte = isSigned(type) ? char(byte % (1 << (bitWidth(type) - 1)))
                            : char(byte & ((1 << bitWidth(type)) - 1));
    else if (isSubByte(type))
      byte &= 15;
  }
  return bytes;
}

Elements copyOf(DataType type, const std::vector<char> &bytes) {
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), buffer->data());
  return Elements::fromBuffer(type, {int64_t(bytes.size() / byteWidth(type))},
                              buffer);
}

} // namespace

TEST(InPlace, TheHandleIsNullAfterwards) {
  Elements x = counting<float>({severalParts}).elements();
  Elements y = std::move(x).materialize();
  EXPECT_FALSE(x); // NOLINT(bugprone-use-after-move): that is the test
  expectEqual(y, counting<float>({severalParts}));
}

TEST(InPlace, MapOverTheOnlyLeaf) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  for (bool parallel : {false, true}) {
    std::optional<ParallelScope> scope;
    if (parallel)
      scope.emplace(pool);
    Naive<float> values = counting<float>({severalParts});
    Elements x = values.elements();
    const void *address = addressOf(x);
    for (int i = 0; i < 3; ++i) {
      x = map(std::exchange(x, {}), twice);
      x = std::move(x).materialize();
      values = doubled(values);
      EXPECT_EQ(addressOf(x), address);
      expectEqual(x, values);
    }
  }
}

// Every conversion between types of one width, each element of which is also
// converted alone.
TEST(InPlace, CastsOfOneWidth) {
  int pairs = 0;
  for (int from = 1; from < 64; ++from)
    for (int to = 1; to < 64; ++to) {
      auto a = DataType(from), b = DataType(to);
      if (from == to || !isDataType(from) || !isDataType(to) ||
          byteWidth(a) != byteWidth(b) || !isConvertible(a, b))
        continue;
      SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
      constexpr int64_t count = 5000;
      std::vector<char> bytes = validBytes(a, count), expected = bytes;
      unsigned width = byteWidth(a);
      for (int64_t i = 0; i < count; ++i)
        convertBlock(b, &expected[i * width], a, &bytes[i * width], 1);
      Elements x = copyOf(a, bytes);
      const void *address = addressOf(x);
      Elements y = cast(std::exchange(x, {}), b);
      y = std::move(y).materialize();
      EXPECT_EQ(addressOf(y), address);
      y.read(bytes.data());
      ASSERT_EQ(bytes, expected);
      ++pairs;
    }
  EXPECT_GT(pairs, 100);
}

TEST(InPlace, EveryArithmeticType) {
  for (int number = 1; number < 64; ++number) {
    if (!isDataType(number) || !visitArithmetic(DataType(number), [](auto) {}))
      continue;
    SCOPED_TRACE(number);
    auto type = DataType(number);
    std::vector<char> bytes = validBytes(type, 5000);
    Elements same = copyOf(type, bytes), other = copyOf(type, bytes);
    Elements expected = zip(map(same, twice), other, plus).materialize();
    Elements x = copyOf(type, bytes);
    const void *address = addressOf(x);
    Elements y = zip(map(std::exchange(x, {}), twice), other, plus);
    y = std::move(y).materialize();
    EXPECT_EQ(addressOf(y), address);
    EXPECT_TRUE(y.identicalTo(expected));
    EXPECT_TRUE(other.identicalTo(same));
  }
}

TEST(InPlace, ProgramsOfManyLeaves) {
  Naive<int64_t> values = counting<int64_t>({40, 500});
  Elements kept = values.elements();
  // Which operand dies does not matter, nor how the others are read.
  for (int dying = 0; dying < 4; ++dying) {
    Elements own = values.elements();
    const void *address = addressOf(own);
    Elements operands[4] = {
        kept, kept.slice({39, 499}, {40, 500}, {-1, -1}),
        kept.slice({0, 3}, {40, 1}, {1, 1}).expand({40, 500}),
        kept.reshape({500, 40}).transpose({1, 0})};
    operands[dying] = std::exchange(own, {});
    Elements y = zip(zip(operands[0], operands[1], plus),
                     zip(operands[2], operands[3], plus), plus);
    for (Elements &operand : operands)
      operand = {};
    y = std::move(y).materialize();
    EXPECT_EQ(addressOf(y), address) << dying;
    expectEqual(
        y, Naive<int64_t>::make({40, 500}, [&](ShapeRef i) {
          int64_t at = i[0] * 500 + i[1];
          int64_t all[4] = {at, 19999 - at, i[0] * 500 + 3, i[1] * 40 + i[0]};
          all[dying] = at;
          return all[0] + all[1] + all[2] + all[3];
        }));
  }
  expectEqual(kept, values);
}

TEST(InPlace, SelectAndWideFunctions) {
  Naive<float> values = counting<float>({severalParts});
  Elements condition = mapTo<bool>(values.elements(),
                                   [](auto v) { return int64_t(v) % 3 == 0; });
  Elements x = values.elements();
  const void *address = addressOf(x);
  x = select(condition, Elements::splat<float>({}, -1.0f),
             std::exchange(x, {}));
  x = std::move(x).materialize();
  EXPECT_EQ(addressOf(x), address);
  for (int64_t i = 0; i < severalParts; ++i)
    values.values[i] = i % 3 == 0 ? -1 : i;
  expectEqual(x, values);
  // An exponent of another width.
  Elements two = Elements::splat<double>({severalParts}, 2.0).materialize();
  x = zipWide(mapWide(std::exchange(x, {}), wide::exp), two, wide::pow);
  Elements expected = std::as_const(x).materialize();
  Elements squares = x;
  x = {};
  squares = std::move(squares).materialize();
  EXPECT_EQ(addressOf(squares), address);
  EXPECT_TRUE(squares.identicalTo(expected));
}

// A function of the user's may write all of its block before it reads.
TEST(InPlace, FunctionsOfUsersNeverWriteWhereTheyRead) {
  Elements x = counting<int32_t>({severalParts}).elements();
  const void *address = addressOf(x);
  x = mapBlocks(std::exchange(x, {}), DataType::Int32,
                [](const void *in, void *out, size_t count) {
                  std::memset(out, 0, count * 4);
                  for (size_t i = 0; i < count; ++i)
                    static_cast<int32_t *>(out)[i] +=
                        static_cast<const int32_t *>(in)[i] + 1;
                });
  x = std::move(x).materialize();
  EXPECT_EQ(addressOf(x), address);
  EXPECT_EQ(x.value<int32_t>(0), 1);
  EXPECT_EQ(x.value<int32_t>(severalParts - 1), severalParts);
}

TEST(InPlace, TensorsThatStayWide) {
  Elements x = counting<float>({severalParts}).elements().widened();
  x = map(x, [](auto v) { return v / 3; });
  Elements expected = std::as_const(x).materialize();
  x = std::move(x).materialize();
  ASSERT_TRUE(x.isWide());
  EXPECT_EQ(x.unrounded().value<double>(10), 10.0 / 3);
  EXPECT_TRUE(x.identicalTo(expected));
}

//===----------------------------------------------------------------------===//
// Where it is not allowed
//===----------------------------------------------------------------------===//

namespace {

/// Materializes f(x), where x dies, and expects the result elsewhere.
void expectCopied(llvm::function_ref<Elements(Elements)> f) {
  Naive<int32_t> values = counting<int32_t>({100, 200});
  Elements expected = f(values.elements());
  expected = std::as_const(expected).materialize();
  Elements x = values.elements();
  const void *address = addressOf(x);
  Elements y = f(std::exchange(x, {}));
  y = std::move(y).materialize();
  EXPECT_NE(addressOf(y), address);
  EXPECT_TRUE(y.identicalTo(expected));
}

} // namespace

TEST(InPlace, NotWhereTheLeafIsReadInAnotherOrder) {
  expectCopied([](Elements &&x) {
    return map(x.slice({99, 0}, {100, 200}, {-1, 1}), twice);
  });
  expectCopied([](Elements &&x) {
    return map(x.slice({99, 199}, {100, 200}, {-1, -1}), twice);
  });
  expectCopied([](Elements &&x) { return map(x.transpose({1, 0}), twice); });
  expectCopied([](Elements &&x) { return map(x.slice(0, 1, 99), twice); });
  expectCopied([](Elements &&x) { return map(x.slice(1, 0, 199), twice); });
  expectCopied([](Elements &&x) {
    return zip(x.slice(0, 5, 1), Elements::splat<int32_t>({100, 200}, 1), plus);
  });
  expectCopied([](Elements &&x) {
    return map(x.expand({3, 100, 200}), twice);
  });
  // A part of it, whose result must not keep the whole.
  expectCopied([](Elements &&x) { return map(x.slice(0, 0, 50), twice); });
  // Of another width, also where the bytes of the result are as many as those
  // of the leaf's buffer: wide results would be written over what is not read.
  expectCopied(
      [](Elements &&x) { return cast(x.slice(0, 0, 50), DataType::Float64); });
  expectCopied([](Elements &&x) { return cast(x, DataType::Float64); });
  expectCopied([](Elements &&x) { return cast(x, DataType::Int16); });
  // Twice in one program, the second time in another order.
  expectCopied([](Elements &&x) {
    return zip(x, x.transpose({1, 0}).reshape({100, 200}), plus);
  });
  expectCopied([](Elements &&x) {
    return zip(x, x.slice({99, 0}, {100, 200}, {-1, 1}), plus);
  });
}

TEST(InPlace, NotWhereSomebodyElseRefersToIt) {
  Naive<int32_t> values = counting<int32_t>({severalParts});
  auto expectKept = [&](llvm::function_ref<void(Elements &&, Elements &)> hold,
                        auto check) {
    Elements x = values.elements();
    const void *address = addressOf(x);
    Elements y = map(x, twice);
    hold(std::exchange(x, {}), y);
    y = std::move(y).materialize();
    EXPECT_NE(addressOf(y), address);
    expectEqual(y, doubled(values));
    check();
  };
  Elements held;
  auto expectHeld = [&] { expectEqual(held, values); };
  expectKept([&](Elements &&x, Elements &) { held = x; }, expectHeld);
  expectKept(
      [&](Elements &&x, Elements &) {
        held = x.reshape({2, severalParts / 2});
      },
      [&] { expectEqual(held.reshape({severalParts}), values); });
  // A program that reads the buffer, the same one or another.
  expectKept([&](Elements &&, Elements &y) { held = y; },
             [&] { expectEqual(held, doubled(values)); });
  expectKept([&](Elements &&x, Elements &) { held = map(x, twice); },
             [&] { expectEqual(held, doubled(values)); });
  expectKept(
      [&](Elements &&x, Elements &) {
        held = concat({x, x}, 0).slice(0, 0, severalParts);
      },
      expectHeld);
  // A reader.
  std::optional<Elements::Reader> reader;
  expectKept([&](Elements &&x, Elements &) { reader.emplace(x); },
             [&] {
               int32_t last;
               reader->read(severalParts - 1, 1, &last);
               EXPECT_EQ(last, severalParts - 1);
               reader.reset();
             });
  // The view of a program that was read so often that it is kept.
  expectKept(
      [&](Elements &&, Elements &y) {
        for (int i = 0; i < 3; ++i)
          y.values<int32_t>();
        held = y.slice(0, 0, severalParts);
      },
      [&] { expectEqual(held, doubled(values)); });
}

TEST(InPlace, NotOverMemoryOfOthers) {
  std::vector<int32_t> values(severalParts, 3);
  Elements x = Elements::fromBuffer(
      DataType::Int32, {severalParts},
      foreignBuffer(
          {reinterpret_cast<const char *>(values.data()), values.size() * 4}));
  x = map(std::exchange(x, {}), twice);
  x = std::move(x).materialize();
  EXPECT_EQ(x.value<int32_t>(5), 6);
  EXPECT_EQ(values, std::vector<int32_t>(severalParts, 3));
  Elements y = spill(counting<int32_t>({severalParts}).elements());
  y = map(std::exchange(y, {}), twice);
  y = std::move(y).materialize();
  expectEqual(y, doubled(counting<int32_t>({severalParts})));
}

TEST(InPlace, ProgramsThatWereReadBefore) {
  for (int reads = 0; reads < 5; ++reads) {
    Naive<int32_t> values = counting<int32_t>({severalParts});
    Elements x = map(values.elements(), twice);
    for (int i = 0; i < reads; ++i)
      expectEqual(x, doubled(values));
    x = std::move(x).materialize();
    expectEqual(x, doubled(values));
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(InPlace, TakesOneTensorInMemory) {
  constexpr int64_t n = 4 << 20; // 16 MiB of f32
  ScopedLimits scope([](MemoryLimits &l) { l.recycledBytes = 0; });
  uint64_t before = memoryStatistics().heapBytes;
  Elements x = counting<float>({n}).elements();
  resetPeakHeapBytes();
  x = map(std::exchange(x, {}), twice);
  x = std::move(x).materialize();
  EXPECT_LE(memoryStatistics().peakHeapBytes, before + n * 4 + (64 << 10));
  EXPECT_EQ(x.value<float>(n - 1), 2 * float(n - 1));
  // A leaf that is computed first; its bytes are the result's.
  Elements half = x.slice(0, 0, n / 2);
  Elements y = map(concat({half, half}, 0), twice);
  y = std::move(y).materialize();
  EXPECT_LE(memoryStatistics().peakHeapBytes, before + 2 * n * 4 + (64 << 10));
  int64_t last = n / 2 - 1;
  EXPECT_EQ(y.value<float>(n - 1), 4 * float(last));
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

namespace {
Elements indices(llvm::ArrayRef<int64_t> values, ShapeRef shape) {
  return Elements::fromValues<int64_t>(shape, values);
}
} // namespace

TEST(InPlace, ScattersOverATensorThatDies) {
  Naive<float> values = counting<float>({1000, 50});
  Elements x = values.elements();
  const void *address = addressOf(x);
  Elements updates = Elements::fromValues<float>({2, 1}, {-5, -6});
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().peakHeapBytes;
  x = scatterElements(std::move(x), indices({7, -1}, {2, 1}), updates, 0);
  EXPECT_EQ(addressOf(x), address);
  x = scatterElements(std::move(x), indices({7, 7}, {2, 1}), updates, 0,
                      ScatterReduction::Add);
  x = scatterND(std::move(x), indices({3, -1}, {1, 2}),
                Elements::fromValues<float>({1}, {9}));
  EXPECT_EQ(addressOf(x), address);
  EXPECT_LE(memoryStatistics().peakHeapBytes, before + 10000);
  values.values[7 * 50] = -5 - 5 - 6;
  values.values[999 * 50] = -6;
  values.values[3 * 50 + 49] = 9;
  expectEqual(x, values);
}

TEST(InPlace, ScattersCopyATensorThatLives) {
  Naive<float> values = counting<float>({1000, 50}), expected = values;
  expected.values[4 * 50 + 1] = -1;
  Elements one = Elements::fromValues<float>({1}, {-1});
  auto scatter = [&](Elements x, const Elements &updates) {
    return scatterND(std::move(x), indices({4, 1}, {1, 2}), updates);
  };
  Elements x = values.elements(), same = x;
  expectEqual(scatter(std::move(x), one), expected);
  expectEqual(same, values);
  // The updates read the tensor itself.
  x = std::exchange(same, {});
  Elements ten = x.slice({0, 10}, {1, 1}, {1, 1}).reshape({1});
  expected.values[4 * 50 + 1] = 10;
  Elements y = scatter(std::move(x), ten);
  expectEqual(y, expected);
  EXPECT_EQ(ten.value<float>(), 10);
  // A view of what is written.
  x = values.elements();
  Elements row = x.slice(0, 4, 1);
  EXPECT_EQ(scatter(std::move(x), one).value<float>(4 * 50 + 1), -1);
  EXPECT_EQ(row.value<float>(1), 4 * 50 + 1);
  // A view, and what is computed on demand, which is still deferred.
  x = values.elements().transpose({1, 0}).reshape({1000, 50});
  EXPECT_EQ(scatter(std::move(x), one).value<float>(4 * 50 + 1), -1);
  int count = 0;
  x = Elements::deferred(DataType::Float32, {1000, 50}, {}, [&](char *out) {
    ++count;
    std::memset(out, 0, 200000);
  });
  y = scatter(std::move(x), one);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(y.value<float>(4 * 50 + 1), -1);
  // Strings are pointers: who owns the new characters would not be known.
  std::vector<llvm::StringRef> texts(50000, "old");
  Elements strings = scatter(Elements::fromStrings({1000, 50}, texts),
                             Elements::fromStrings({1}, {"new"}));
  EXPECT_EQ(strings.value<llvm::StringRef>(4 * 50 + 1), "new");
  EXPECT_EQ(strings.value<llvm::StringRef>(4 * 50 + 2), "old");
}

TEST(InPlace, ScattersOfKeptAndSpilledResults) {
  Elements x = counting<float>({1000, 50}).elements().transpose({1, 0});
  x = x.reshape({1000, 50}).materialize(); // kept
  const void *address = addressOf(x);
  Elements expected = scatterND(x, indices({2, 2}, {1, 2}),
                                Elements::fromValues<float>({1}, {-1}))
                          .materialize();
  Elements y = scatterND(std::exchange(x, {}), indices({2, 2}, {1, 2}),
                         Elements::fromValues<float>({1}, {-1}));
  EXPECT_EQ(addressOf(y), address);
  EXPECT_TRUE(y.identicalTo(expected));
  y = spill(y);
  y = scatterND(std::exchange(y, {}), indices({2, 3}, {1, 2}),
                Elements::fromValues<float>({1}, {-2}));
  EXPECT_EQ(y.value<float>(2 * 50 + 2), -1);
  EXPECT_EQ(y.value<float>(2 * 50 + 3), -2);
}
