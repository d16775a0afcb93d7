//===- LinearScanTest.cpp - The rules of linear scan by themselves --------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/LinearScan.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <ctime>
#include <random>

using namespace onnxfold::deallocation;

namespace {

LiveInterval interval(unsigned start, unsigned end, int64_t bytes,
                      unsigned type = 0, bool viewable = true) {
  return {start,       end,     Amount::ofBytes(bytes), /*alignment=*/0, type,
          /*space=*/0, viewable};
}

constexpr int64_t unlimited = int64_t(1) << 60;

std::vector<Amount> amounts(std::vector<int64_t> bytes, size_t times = 100) {
  bytes.resize(times);
  std::vector<Amount> all;
  for (int64_t one : bytes)
    all.push_back(Amount::ofBytes(one));
  return all;
}

std::vector<Slot> pack(const std::vector<LiveInterval> &intervals,
                       int64_t bound = unlimited,
                       const std::vector<int64_t> &background = {}) {
  std::vector<Amount> limit(100, Amount::ofBytes(bound));
  return assignSlots(intervals, amounts(background), limit);
}

TEST(LinearScan, DisjointIntervalsShareASlot) {
  auto slots = pack({interval(0, 1, 8), interval(2, 3, 8), interval(4, 5, 8)});
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].members, (std::vector<unsigned>{0, 1, 2}));
}

TEST(LinearScan, hasExpired_EndsAreIncluded) {
  EXPECT_EQ(pack({interval(0, 2, 8), interval(2, 3, 8)}).size(), 2u);
}

TEST(LinearScan, SlotsOfTheTypeComeFirst) {
  auto slots = pack({interval(0, 1, 8, 1), interval(0, 2, 8, 2),
                     interval(4, 5, 8, 1), interval(4, 5, 8, 2)});
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_TRUE(slots[0].uniform && slots[1].uniform);
}

TEST(LinearScan, TheSmallestSufficientSlotComesNext) {
  auto slots = pack(
      {interval(0, 1, 100, 1), interval(0, 1, 20, 2), interval(2, 3, 10, 3)});
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[1].members, (std::vector<unsigned>{1, 2}));
  EXPECT_FALSE(slots[1].uniform);
  EXPECT_EQ(slots[1].size.known, 20);
}

TEST(LinearScan, EnlargesTheLargestSlotWithinTheLimit) {
  std::vector<LiveInterval> intervals = {
      interval(0, 1, 10, 1), interval(0, 1, 20, 2), interval(2, 3, 100, 3)};
  auto slots = pack(intervals);
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[1].size.known, 100);
  // 10 + 100 are live at once.
  EXPECT_EQ(pack(intervals, 109).size(), 3u);
  EXPECT_EQ(pack(intervals, 110).size(), 2u);
}

TEST(LinearScan, keepsPressure_NoSlotIsLiveAcrossAPeak) {
  std::vector<LiveInterval> intervals = {interval(0, 1, 10),
                                         interval(4, 5, 10)};
  EXPECT_EQ(pack(intervals, 1000, {0, 0, 0, 1000}).size(), 2u);
  EXPECT_EQ(pack(intervals, 1010, {0, 0, 0, 1000}).size(), 1u);
}

/// Sizes that are not known may be 0 and may be more than all background.
TEST(LinearScan, keepsPressure_UnknownSizesCountInTwoWays) {
  LiveInterval first = interval(0, 1, 0, 0, false),
               later = interval(4, 5, 0, 0, false);
  first.size = later.size = Amount::unknown();
  std::vector<Amount> background(6), limit(6, Amount::unknown());
  auto slots = [&] {
    return assignSlots({first, later}, background, limit).size();
  };
  EXPECT_EQ(slots(), 1u);
  // No known limit has room for an unknown size.
  background[3] = Amount::ofBytes(10);
  EXPECT_EQ(slots(), 2u);
  limit[3] = Amount::ofBytes(1000);
  EXPECT_EQ(slots(), 2u);
  limit[3] = Amount::unknown() + Amount::ofBytes(10);
  EXPECT_EQ(slots(), 1u);
}

/// An aligned interval makes the slot larger for all of its points.
TEST(LinearScan, keepsPressure_AlignmentIsMemory) {
  std::vector<LiveInterval> intervals = {interval(0, 1, 10),
                                         interval(4, 5, 10)};
  intervals[1].alignment = 64;
  EXPECT_EQ(pack(intervals, 74).size(), 1u);
  EXPECT_EQ(pack(intervals, 74, {10}).size(), 2u);
  EXPECT_EQ(pack(intervals, 84, {10}).size(), 1u);
}

TEST(LinearScan, isAlignedEnough_LiveInSlotsKeepTheirAlignment) {
  LiveInterval liveIn = interval(0, 1, 8), wanted = interval(2, 3, 8);
  liveIn.liveIn = true;
  wanted.alignment = 64;
  EXPECT_EQ(pack({liveIn, wanted}).size(), 2u);
  liveIn.alignment = 64;
  EXPECT_EQ(pack({liveIn, wanted}).size(), 1u);
  // A live-in slot is never viewed as another type.
  wanted.type = 1;
  EXPECT_EQ(pack({liveIn, wanted}).size(), 2u);
}

TEST(LinearScan, mayOpenSlot_OptionalIntervalsOnlyJoin) {
  LiveInterval optional = interval(2, 3, 8);
  optional.optional = true;
  EXPECT_EQ(pack({optional}).size(), 0u);
  auto slots = pack({interval(0, 1, 8), optional});
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].members.size(), 2u);
  optional.size = Amount::ofBytes(9);
  optional.type = 1;
  EXPECT_EQ(pack({interval(0, 1, 8), optional})[0].members.size(), 1u);
}

TEST(LinearScan, LiveOutSlotsNeverExpire) {
  LiveInterval escaping = interval(0, 1, 8);
  escaping.liveOut = true;
  EXPECT_EQ(pack({escaping, interval(2, 3, 8)}).size(), 2u);
}

TEST(LinearScan, MemorySpacesAreApart) {
  LiveInterval other = interval(2, 3, 8, 1);
  other.space = 1;
  EXPECT_EQ(pack({interval(0, 1, 8), other}).size(), 2u);
}

/// A slot that smallestSufficientSlot takes is still listed by its type, where
/// a third interval finds it.
TEST(LinearScan, hasExpired_SlotsThatWereTakenBySizeAreNotFree) {
  // Only slot 0 is aligned, and point 1 has no room to align another one.
  std::vector<LiveInterval> intervals = {interval(0, 1, 8)};
  intervals.insert(intervals.end(), 8, interval(1, 1, 8));
  intervals.insert(intervals.end(), 10, interval(2, 3, 8));
  intervals[0].alignment = intervals[9].alignment = 64;
  std::vector<Amount> limit(4, Amount::ofBytes(unlimited));
  limit[1] = Amount::ofBytes(9 * 8 + 64);
  auto slots = assignSlots(intervals, amounts({}, 4), limit);
  EXPECT_EQ(slots.size(), 10u);
  for (const Slot &slot : slots)
    for (size_t i = 1; i < slot.members.size(); ++i)
      EXPECT_GT(intervals[slot.members[i]].start,
                intervals[slot.members[i - 1]].end);
}

/// Views need one memory space, a static size and the identity layout.
TEST(LinearScan, canBeView_OrTheTypesMustBeEqual) {
  LiveInterval first = interval(0, 1, 8, 0), later = interval(2, 3, 8, 1);
  EXPECT_EQ(pack({first, later}).size(), 1u);
  later.viewable = false;
  EXPECT_EQ(pack({first, later}).size(), 2u);
  later.type = 0;
  first.viewable = false;
  EXPECT_EQ(pack({first, later}).size(), 1u);
}

/// Members of a slot are disjoint and fit, and no pressure exceeds the limit.
TEST(LinearScan, RandomIntervalsKeepBothInvariants) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::minstd_rand random(seed + 1);
    std::vector<LiveInterval> intervals;
    unsigned types = 1 + seed % 4;
    for (unsigned i = 0; i < 60; ++i) {
      unsigned start = random() % 90, type = random() % types;
      intervals.push_back(interval(start, start + random() % 10,
                                   8 + 8 * int64_t(type), type,
                                   random() % 3 != 0));
    }
    std::stable_sort(intervals.begin(), intervals.end(),
                     [](auto &a, auto &b) { return a.start < b.start; });
    std::vector<int64_t> background(100);
    for (int64_t &bytes : background)
      bytes = random() % 50;
    int64_t bound =
        peakOf(intervals, amounts(background)).known + random() % 40;
    auto slots = pack(intervals, bound, background);
    std::vector<int64_t> live = background;
    size_t members = 0;
    for (const Slot &slot : slots) {
      members += slot.members.size();
      for (size_t i = 0; i < slot.members.size(); ++i) {
        const LiveInterval &member = intervals[slot.members[i]];
        EXPECT_LE(member.size.known, slot.size.known);
        EXPECT_TRUE(slot.uniform || member.viewable);
        if (i) {
          EXPECT_GT(member.start, intervals[slot.members[i - 1]].end);
        }
      }
      unsigned end = intervals[slot.members.back()].end;
      for (unsigned t = intervals[slot.members[0]].start; t <= end; ++t)
        live[t] += slot.size.known;
    }
    EXPECT_EQ(members, intervals.size());
    EXPECT_LE(*std::max_element(live.begin(), live.end()), bound) << seed;
  }
}

/// Without a limit there are as many slots as intervals live at one point.
TEST(LinearScan, IsOptimalForOneType) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::minstd_rand random(seed + 1);
    std::vector<LiveInterval> intervals;
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

TEST(LinearScan, ManyTakeNearlyLinearTime) {
  auto seconds = [](unsigned count) {
    std::minstd_rand random(1);
    std::vector<LiveInterval> intervals;
    for (unsigned i = 0; i < count; ++i)
      intervals.push_back(
          interval(i, i + random() % 100, 8 + random() % 1000, random() % 50));
    std::vector<Amount> background(count + 100);
    std::vector<Amount> limit(count + 100, peakOf(intervals, background));
    auto start = std::clock();
    assignSlots(intervals, background, limit);
    return double(std::clock() - start) / CLOCKS_PER_SEC;
  };
  double small = std::min(seconds(20000), seconds(20000));
  EXPECT_LT(seconds(200000), 30 * small);
}

} // namespace
