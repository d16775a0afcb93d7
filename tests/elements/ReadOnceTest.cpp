//===- ReadOnceTest.cpp - Elements that are read without a mapping --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/EqualValues.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cstring>
#include <numeric>

using namespace onnxfold;

namespace {

/// Bytes that can be read in ranges, as those of a file, and counts who does.
class RangesBuffer : public Buffer {
public:
  explicit RangesBuffer(llvm::ArrayRef<char> values)
      : Buffer(values.size()), bytes(values.begin(), values.end()) {}
  const char *acquire() override {
    ++acquired;
    return bytes.data();
  }
  void release() override {}
  bool readRange(uint64_t offset, uint64_t count, char *out) override {
    EXPECT_LE(offset + count, size());
    if (count != 0)
      std::memcpy(out, bytes.data() + offset, count);
    read += count;
    for (uint64_t most = largest; count > most;)
      if (largest.compare_exchange_weak(most, count))
        break;
    return true;
  }

  std::atomic<uint64_t> acquired{0}, read{0}, largest{0};

private:
  std::vector<char> bytes;
};

/// A tensor of 0, 1, 2, ... in such a buffer, one of them changed if asked.
struct InRanges {
  struct Changed {
    int64_t at;
  };

  explicit InRanges(ShapeRef shape) : InRanges(shape, Changed{-1}) {}
  InRanges(ShapeRef shape, Changed changed) : values(numElements(shape)) {
    std::iota(values.begin(), values.end(), 0);
    if (changed.at >= 0)
      --values[changed.at];
    buffer = llvm::makeIntrusiveRefCnt<RangesBuffer>(
        llvm::ArrayRef(reinterpret_cast<const char *>(values.data()),
                       values.size() * sizeof(int32_t)));
    elements = Elements::fromBuffer(DataType::Int32, shape, buffer);
  }

  std::vector<int32_t> values;
  llvm::IntrusiveRefCntPtr<RangesBuffer> buffer;
  Elements elements;
};

/// All elements, by one pass over `x`.
std::vector<int32_t> readOnce(const Elements &x) {
  Elements::Reader reader(x, Elements::Reader::Access::Once);
  std::vector<int32_t> all(x.size()), scratch(x.size()), viewed;
  reader.readAll(all.data());
  int64_t grain = std::min<int64_t>(reader.preferredGrain(), 1000);
  for (int64_t first = 0; first < x.size(); first += grain) {
    int64_t count = std::min(grain, x.size() - first);
    auto *part =
        static_cast<const int32_t *>(reader.view(first, count, scratch.data()));
    viewed.insert(viewed.end(), part, part + count);
  }
  EXPECT_EQ(viewed, all);
  return all;
}

TEST(ReadOnce, BytesInOrderAreNotPinned) {
  InRanges x({300, 1000});
  EXPECT_EQ(readOnce(x.elements), x.values);
  EXPECT_EQ(readOnce(x.elements.reshape({3, 100, 1000})), x.values);
  EXPECT_EQ(x.buffer->acquired, 0u);
  EXPECT_EQ(x.buffer->read, 4 * x.elements.bytes()) << "twice read and viewed";
}

TEST(ReadOnce, PartsInOrder) {
  InRanges x({30, 100});
  Elements rows = x.elements.slice({7, 0}, {20, 100}, {1, 1});
  std::vector<int32_t> expected(x.values.begin() + 700,
                                x.values.begin() + 2700);
  EXPECT_EQ(readOnce(rows), expected);
  EXPECT_EQ(x.buffer->acquired, 0u);
}

/// The gates of an LSTM in another order: each slice brought the whole weight to
/// memory, which was read four times.
TEST(ReadOnce, PartsThatArePutTogether) {
  InRanges x({400, 1000});
  std::vector<Elements> gates;
  std::vector<int32_t> expected;
  for (int64_t gate : {0, 3, 1, 2}) {
    gates.push_back(x.elements.slice({100 * gate, 0}, {100, 1000}, {1, 1}));
    auto begin = x.values.begin() + 100'000 * gate;
    expected.insert(expected.end(), begin, begin + 100'000);
  }
  EXPECT_EQ(ops::concat(gates, 0).values<int32_t>(), expected);
  EXPECT_EQ(x.buffer->acquired, 0u);
  EXPECT_EQ(x.buffer->read, x.elements.bytes());
}

/// In another order than that of the bytes.
std::vector<Elements> otherOrders(const Elements &x) {
  int64_t rows = x.dim(0), columns = x.dim(1);
  return {
      x.transpose({1, 0}),
      x.slice({0, 10}, {rows, columns - 10}, {1, 1}),
      x.slice({rows - 1, 0}, {rows, columns}, {-1, 1}),
      x.unsqueeze({0}).expand({2, rows, columns}),
      ops::map(x.transpose({1, 0}), [](auto v) { return v; }),
  };
}

/// A weight of 5 MB was brought to memory before the first block was computed,
/// and had left the caches by then.
TEST(ReadOnce, BytesInOrderThatAreComputedWithAreNotPinned) {
  InRanges x({300, 1000}), y({320, 1000});
  Elements rows = y.elements.slice({20, 0}, {300, 1000}, {1, 1});
  Elements scale = Elements::fromValues<int32_t>({300, 1}, std::vector(300, 3));
  Elements sum = ops::zip(ops::zip(x.elements, scale.expand({300, 1000}),
                                   [](auto v, auto w) { return v * w; }),
                          rows, [](auto v, auto w) { return v + w; });
  std::vector<int32_t> expected;
  for (int32_t i = 0; i < 300'000; ++i)
    expected.push_back(3 * i + i + 20'000);
  EXPECT_EQ(readOnce(sum), expected);
  EXPECT_EQ(x.buffer->acquired + y.buffer->acquired, 0u);
  EXPECT_EQ(x.buffer->read, 2 * x.elements.bytes()) << "read and viewed";
}

/// Tiles of the transposed operand want more rows at once than fit in a range.
TEST(ReadOnce, RangesBesideATransposition) {
  InRanges x({700, 900}), y({900, 700});
  Elements sum = ops::zip(x.elements, y.elements.transpose({1, 0}),
                          [](auto v, auto w) { return v - w; });
  EXPECT_EQ(readOnce(sum), sum.values<int32_t>());
}

TEST(ReadOnce, SmallBuffersInOtherOrdersAreReadAsAWhole) {
  InRanges x({30, 100});
  for (const Elements &view : otherOrders(x.elements)) {
    uint64_t before = x.buffer->read;
    EXPECT_EQ(readOnce(view), view.values<int32_t>());
    EXPECT_EQ(x.buffer->read - before, x.elements.bytes());
  }
  // values() pins the buffer, once for each view.
  EXPECT_EQ(x.buffer->acquired, otherOrders(x.elements).size());
}

TEST(ReadOnce, LargeBuffersInOtherOrdersArePinned) {
  InRanges x({300, 1000});
  for (const Elements &view : otherOrders(x.elements)) {
    uint64_t before = x.buffer->acquired;
    EXPECT_EQ(readOnce(view), view.values<int32_t>());
    EXPECT_GT(x.buffer->acquired, before);
  }
  EXPECT_EQ(x.buffer->read, 0u);
}

TEST(ReadOnce, BuffersOfWhichLittleIsNeededArePinned) {
  InRanges x({30, 100});
  Elements columns = x.elements.slice({0, 10}, {30, 40}, {1, 1});
  EXPECT_EQ(readOnce(columns), columns.values<int32_t>());
  EXPECT_EQ(x.buffer->read, 0u);
}

TEST(ReadOnce, NoElementsAndOne) {
  InRanges none({3, 0}), one(Shape{});
  EXPECT_EQ(readOnce(none.elements), std::vector<int32_t>());
  EXPECT_EQ(readOnce(one.elements), std::vector<int32_t>{0});
}

TEST(ReadOnce, NothingIsReadyInPlace) {
  InRanges x(Shape{10});
  Elements::Reader reader(x.elements, Elements::Reader::Access::Once);
  EXPECT_EQ(reader.contiguous(), nullptr);
  EXPECT_EQ(reader.contiguousBytes(), nullptr);
  EXPECT_FALSE(reader.isTransposing());
}

TEST(ReadOnce, FewElementsOfASampleAreReadOneByOne) {
  InRanges x({300, 1000});
  Elements transposed = x.elements.transpose({1, 0});
  std::vector<int64_t> positions = {0, 1, 299999, 150000};
  std::vector<int32_t> few(4), expected;
  for (int64_t position : positions)
    expected.push_back(x.values[position % 300 * 1000 + position / 300]);
  ASSERT_TRUE(transposed.sample(positions, few.data()));
  EXPECT_EQ(few, expected);
  EXPECT_EQ(x.buffer->acquired, 0u);
  EXPECT_EQ(x.buffer->read, 4 * sizeof(int32_t));
}

TEST(ReadOnce, ManyElementsOfASampleArePinned) {
  InRanges x(Shape{1000});
  std::vector<int64_t> positions(96);
  std::iota(positions.begin(), positions.end(), 7);
  std::vector<int32_t> many(96), expected(96);
  std::iota(expected.begin(), expected.end(), 7);
  ASSERT_TRUE(x.elements.sample(positions, many.data()));
  EXPECT_EQ(many, expected);
  EXPECT_EQ(x.buffer->acquired, 1u);
  EXPECT_EQ(x.buffer->read, 0u);
}

/// A Swin has 240 weights of a few shapes. To map each for a look at 96
/// elements took a fifth of the time before the output was written.
TEST(ReadOnce, ValuesThatDifferInTheMiddleAreNotPinned) {
  InRanges x({300, 1000}), y({300, 1000}, {150001}), z({300, 1000});
  Elements plusOne = ops::map(z.elements, [](auto v) { return v + 1; });
  ops::EqualValues equal({x.elements, y.elements, plusOne});
  EXPECT_EQ(equal.firstOf(1), 1u);
  EXPECT_EQ(equal.firstOf(2), 2u);
  EXPECT_EQ(x.buffer->acquired + y.buffer->acquired + z.buffer->acquired, 0u);
  EXPECT_EQ(x.buffer->read, 4 * sizeof(int32_t));
}

TEST(ReadOnce, ValuesThatAreAlikeInTheMiddleAreCompared) {
  InRanges x({300, 1000}), first({300, 1000}, {0}), same({300, 1000}),
      inside({300, 1000}, {77777});
  ops::EqualValues equal(
      {x.elements, first.elements, same.elements, inside.elements});
  EXPECT_EQ(equal.firstOf(1), 1u);
  EXPECT_EQ(equal.firstOf(2), 0u);
  EXPECT_EQ(equal.firstOf(3), 3u);
}

// The pieces are as large as the operands' elements allow, not the result's.
TEST(ReadOnce, PiecesOfNarrowResultsAreSmallToo) {
  InRanges x({1000, 1000}), y({1000, 1000});
  Elements less = ops::zipAs<bool, int32_t, int32_t>(
      x.elements, y.elements, [](auto a, auto b) { return a < b; });
  Elements::Reader reader(less, Elements::Reader::Access::Once);
  std::vector<char> all(less.size(), 1);
  reader.readAll(all.data());
  EXPECT_EQ(llvm::count(all, 0), less.size());
  EXPECT_EQ(x.buffer->acquired, 0u);
  EXPECT_LE(x.buffer->largest + y.buffer->largest, 256u << 10);
}

} // namespace
