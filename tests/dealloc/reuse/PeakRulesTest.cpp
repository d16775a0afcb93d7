//===- PeakRulesTest.cpp - Each rule of a region's peak by itself ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The right side of one rule is 100 bytes, and those of the others are less:
// that rule alone admits 60 + 40 bytes, and no rule one byte more.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dealloc/reuse/internal/PeakRules.h"
#include "gtest/gtest.h"

using namespace onnxfold::deallocation;

namespace {

Amount bytes(int64_t count) { return Amount::ofBytes(count); }

/// A region of two points, for which no rule admits anything.
RegionBaseline nothing() {
  RegionBaseline region;
  region.atPoint = region.atBlockEnd = {bytes(0), bytes(0)};
  return region;
}

bool fits(const RegionBaseline &region, int64_t across) {
  return fitsAcross(region, {bytes(60), bytes(60)}, bytes(across));
}

void expectAdmitsExactly40(const RegionBaseline &region) {
  EXPECT_TRUE(fits(region, 40));
  EXPECT_FALSE(fits(region, 41));
}

TEST(PeakRules, fitsSamePoint) {
  RegionBaseline region = nothing();
  region.atPoint = {bytes(100), bytes(100)};
  expectAdmitsExactly40(region);
}

TEST(PeakRules, fitsBlockEnd) {
  RegionBaseline region = nothing();
  region.atBlockEnd = {bytes(100), bytes(100)};
  expectAdmitsExactly40(region);
}

TEST(PeakRules, fitsOneRun) {
  RegionBaseline region = nothing();
  region.oneRun = bytes(100);
  expectAdmitsExactly40(region);
}

TEST(PeakRules, fitsWholeLoop) {
  RegionBaseline region = nothing();
  region.wholeLoop = bytes(100);
  expectAdmitsExactly40(region);
}

TEST(PeakRules, fitsSibling) {
  RegionBaseline region = nothing();
  EXPECT_FALSE(fits(region, 0));
  region.sibling = bytes(100);
  expectAdmitsExactly40(region);
}

TEST(PeakRules, EveryPointNeedsARule) {
  RegionBaseline region = nothing();
  region.atPoint = {bytes(100), bytes(0)};
  EXPECT_FALSE(fits(region, 40));
  region.atBlockEnd = {bytes(0), bytes(100)};
  expectAdmitsExactly40(region);
}

TEST(PeakRules, fitsEnclosingBlock) {
  std::vector<Amount> pressure = {bytes(10), bytes(60)};
  EXPECT_TRUE(fitsEnclosingBlock(bytes(30), pressure, bytes(40), bytes(130)));
  EXPECT_FALSE(fitsEnclosingBlock(bytes(30), pressure, bytes(41), bytes(130)));
}

/// A bound of known bytes says nothing of a dynamic size, and conversely.
TEST(PeakRules, UnknownSizesCountInTwoWays) {
  RegionBaseline region = nothing();
  region.oneRun = bytes(1000);
  EXPECT_FALSE(fitsAcross(region, {bytes(0)}, Amount::unknown()));
  region.oneRun = Amount::unknown();
  EXPECT_TRUE(fitsAcross(region, {bytes(0)}, Amount::unknown()));
  EXPECT_FALSE(fitsAcross(region, {bytes(0)}, bytes(1)));
}

TEST(PeakRules, siblingBoundOfTheSecondRegion) {
  RegionGrowth first{bytes(30), std::nullopt}, second{bytes(0), std::nullopt};
  // The first region ran before, and left 30 bytes more than it found.
  EXPECT_EQ(siblingBound(bytes(100), first, second, /*isFirst=*/false),
            bytes(70));
}

TEST(PeakRules, siblingBoundOfTheFirstRegion) {
  RegionGrowth first{bytes(0), bytes(-20)}, second{bytes(10), bytes(10)};
  // Before: 100 - 10. Next, after the first region freed 20: 100 - 20.
  EXPECT_EQ(siblingBound(bytes(100), second, first, /*isFirst=*/true),
            bytes(80));
  first.least = bytes(20);
  EXPECT_EQ(siblingBound(bytes(100), second, first, /*isFirst=*/true),
            bytes(90));
  first.least = std::nullopt;
  EXPECT_EQ(siblingBound(bytes(100), second, first, /*isFirst=*/true),
            std::nullopt);
}

} // namespace
