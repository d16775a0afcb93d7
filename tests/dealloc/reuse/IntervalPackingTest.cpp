//===- IntervalPackingTest.cpp - The packing by itself --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/IntervalPacking.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <ctime>
#include <random>

using namespace onnxfold::deallocation;

namespace {

Interval interval(unsigned start, unsigned end, int64_t bytes,
                  unsigned kind = 0, bool flexible = true) {
  return {start,       end,     Amount::ofBytes(bytes), /*alignment=*/0, kind,
          /*space=*/0, flexible};
}

constexpr int64_t unlimited = int64_t(1) << 60;

std::vector<Amount> amounts(std::vector<int64_t> bytes, size_t times = 100) {
  bytes.resize(times);
  std::vector<Amount> all;
  for (int64_t one : bytes)
    all.push_back(Amount::ofBytes(one));
  return all;
}

std::vector<Pool> pack(const std::vector<Interval> &intervals,
                       int64_t bound = unlimited,
                       const std::vector<int64_t> &others = {}) {
  std::vector<Amount> allowed(100, Amount::ofBytes(bound));
  return packIntervals(intervals, amounts(others), allowed);
}

TEST(IntervalPacking, OneAfterTheOther) {
  auto pools = pack({interval(0, 1, 8), interval(2, 3, 8), interval(4, 5, 8)});
  ASSERT_EQ(pools.size(), 1u);
  EXPECT_EQ(pools[0].members, (std::vector<unsigned>{0, 1, 2}));
}

TEST(IntervalPacking, EndsAreIncluded) {
  EXPECT_EQ(pack({interval(0, 2, 8), interval(2, 3, 8)}).size(), 2u);
}

TEST(IntervalPacking, TheSameKindBeforeAFittingSize) {
  auto pools = pack({interval(0, 1, 8, 1), interval(0, 2, 8, 2),
                     interval(4, 5, 8, 1), interval(4, 5, 8, 2)});
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_TRUE(pools[0].uniform && pools[1].uniform);
}

TEST(IntervalPacking, TheSmallestThatFits) {
  auto pools = pack(
      {interval(0, 1, 100, 1), interval(0, 1, 20, 2), interval(2, 3, 10, 3)});
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_EQ(pools[1].members, (std::vector<unsigned>{1, 2}));
  EXPECT_FALSE(pools[1].uniform);
  EXPECT_EQ(pools[1].size.known, 20);
}

TEST(IntervalPacking, GrowsTheLargestWithinTheBound) {
  std::vector<Interval> intervals = {
      interval(0, 1, 10, 1), interval(0, 1, 20, 2), interval(2, 3, 100, 3)};
  auto pools = pack(intervals);
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_EQ(pools[1].size.known, 100);
  // 10 + 100 would be alive at once.
  EXPECT_EQ(pack(intervals, 109).size(), 3u);
  EXPECT_EQ(pack(intervals, 110).size(), 2u);
}

TEST(IntervalPacking, NothingIsKeptOverAPeak) {
  std::vector<Interval> intervals = {interval(0, 1, 10), interval(4, 5, 10)};
  EXPECT_EQ(pack(intervals, 1000, {0, 0, 0, 1000}).size(), 2u);
  EXPECT_EQ(pack(intervals, 1010, {0, 0, 0, 1000}).size(), 1u);
}

/// Sizes that are not known may be 0 and may be more than all others.
TEST(IntervalPacking, UnknownSizesCountInTwoWays) {
  Interval first = interval(0, 1, 0, 0, false),
           later = interval(4, 5, 0, 0, false);
  first.size = later.size = Amount::unknown();
  std::vector<Amount> others(6), allowed(6, Amount::unknown());
  auto pools = [&] {
    return packIntervals({first, later}, others, allowed).size();
  };
  EXPECT_EQ(pools(), 1u);
  // What is known leaves no room for them, nor they for it.
  others[3] = Amount::ofBytes(10);
  EXPECT_EQ(pools(), 2u);
  allowed[3] = Amount::ofBytes(1000);
  EXPECT_EQ(pools(), 2u);
  allowed[3] = Amount::unknown() + Amount::ofBytes(10);
  EXPECT_EQ(pools(), 1u);
}

/// Aligned ones ask for more; who shares with them pays for it.
TEST(IntervalPacking, AlignmentIsMemory) {
  std::vector<Interval> intervals = {interval(0, 1, 10), interval(4, 5, 10)};
  intervals[1].alignment = 64;
  EXPECT_EQ(pack(intervals, 74).size(), 1u);
  EXPECT_EQ(pack(intervals, 74, {10}).size(), 2u);
  EXPECT_EQ(pack(intervals, 84, {10}).size(), 1u);
}

TEST(IntervalPacking, GivenOnesMustBeAlignedEnough) {
  Interval given = interval(0, 1, 8), wanted = interval(2, 3, 8);
  given.given = true;
  wanted.alignment = 64;
  EXPECT_EQ(pack({given, wanted}).size(), 2u);
  given.alignment = 64;
  EXPECT_EQ(pack({given, wanted}).size(), 1u);
  // Nothing else of it may be changed.
  wanted.kind = 1;
  EXPECT_EQ(pack({given, wanted}).size(), 2u);
}

TEST(IntervalPacking, OptionalOnesJoinOrStayAway) {
  Interval optional = interval(2, 3, 8);
  optional.optional = true;
  EXPECT_EQ(pack({optional}).size(), 0u);
  auto pools = pack({interval(0, 1, 8), optional});
  ASSERT_EQ(pools.size(), 1u);
  EXPECT_EQ(pools[0].members.size(), 2u);
  optional.size = Amount::ofBytes(9);
  optional.kind = 1;
  EXPECT_EQ(pack({interval(0, 1, 8), optional})[0].members.size(), 1u);
}

TEST(IntervalPacking, NobodyFollowsWhatEscapes) {
  Interval escaping = interval(0, 1, 8);
  escaping.escapes = true;
  EXPECT_EQ(pack({escaping, interval(2, 3, 8)}).size(), 2u);
}

TEST(IntervalPacking, SpacesAreApart) {
  Interval other = interval(2, 3, 8, 1);
  other.space = 1;
  EXPECT_EQ(pack({interval(0, 1, 8), other}).size(), 2u);
}

/// Random ones: members of a pool do not overlap and fit, and what is alive at
/// a time is under the bound.
TEST(IntervalPacking, RandomOnes) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::minstd_rand random(seed + 1);
    std::vector<Interval> intervals;
    unsigned kinds = 1 + seed % 4;
    for (unsigned i = 0; i < 60; ++i) {
      unsigned start = random() % 90, kind = random() % kinds;
      intervals.push_back(interval(start, start + random() % 10,
                                   8 + 8 * int64_t(kind), kind,
                                   random() % 3 != 0));
    }
    std::stable_sort(intervals.begin(), intervals.end(),
                     [](auto &a, auto &b) { return a.start < b.start; });
    std::vector<int64_t> others(100);
    for (int64_t &bytes : others)
      bytes = random() % 50;
    int64_t bound = peakOf(intervals, amounts(others)).known + random() % 40;
    auto pools = pack(intervals, bound, others);
    std::vector<int64_t> alive = others;
    size_t members = 0;
    for (const Pool &pool : pools) {
      members += pool.members.size();
      for (size_t i = 0; i < pool.members.size(); ++i) {
        const Interval &member = intervals[pool.members[i]];
        EXPECT_LE(member.size.known, pool.size.known);
        EXPECT_TRUE(pool.uniform || member.flexible);
        if (i) {
          EXPECT_GT(member.start, intervals[pool.members[i - 1]].end);
        }
      }
      unsigned end = intervals[pool.members.back()].end;
      for (unsigned t = intervals[pool.members[0]].start; t <= end; ++t)
        alive[t] += pool.size.known;
    }
    EXPECT_EQ(members, intervals.size());
    EXPECT_LE(*std::max_element(alive.begin(), alive.end()), bound) << seed;
  }
}

/// Of one kind and without a bound: as few pools as are alive at once.
TEST(IntervalPacking, IsOptimalForOneKind) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::minstd_rand random(seed + 1);
    std::vector<Interval> intervals;
    for (unsigned i = 0; i < 80; ++i) {
      unsigned start = random() % 90;
      intervals.push_back(interval(start, start + random() % 10, 1));
    }
    std::stable_sort(intervals.begin(), intervals.end(),
                     [](auto &a, auto &b) { return a.start < b.start; });
    EXPECT_EQ(int64_t(pack(intervals).size()),
              peakOf(intervals, amounts({})).known);
  }
}

TEST(IntervalPacking, ManyTakeNearlyLinearTime) {
  auto seconds = [](unsigned count) {
    std::minstd_rand random(1);
    std::vector<Interval> intervals;
    for (unsigned i = 0; i < count; ++i)
      intervals.push_back(
          interval(i, i + random() % 100, 8 + random() % 1000, random() % 50));
    std::vector<Amount> others(count + 100);
    std::vector<Amount> allowed(count + 100, peakOf(intervals, others));
    auto start = std::clock();
    packIntervals(intervals, others, allowed);
    return double(std::clock() - start) / CLOCKS_PER_SEC;
  };
  double small = std::min(seconds(20000), seconds(20000));
  EXPECT_LT(seconds(200000), 30 * small);
}

} // namespace
