//===- ArenaTest.cpp - Memory that is given back by parts -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/internal/Arena.h"
#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace onnxfold::tensorfolding::internal;

namespace {
class ArenaTest : public ::testing::Test {
protected:
  char *take(uint64_t offset, uint64_t bytes) {
    return static_cast<char *>(arena->take(offset, bytes));
  }
  void fill(uint64_t offset, uint64_t bytes) {
    char *memory = take(offset, bytes);
    ASSERT_NE(memory, nullptr);
    std::memset(memory, 7, bytes);
  }

  const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  std::shared_ptr<Arena> arena = Arena::reserve(4 * page);
  char *first = take(0, 0); // the address of the arena
};
} // namespace

TEST_F(ArenaTest, a_place_is_taken_once) {
  EXPECT_EQ(take(64, 128), first + 64);
  EXPECT_EQ(take(64, 128), nullptr);
  EXPECT_EQ(take(128, 128), nullptr) << "overlaps its end";
  EXPECT_EQ(take(0, 128), nullptr) << "overlaps its beginning";
  EXPECT_EQ(take(0, 64), first);
  EXPECT_EQ(take(192, 4 * page - 192), first + 192);
  EXPECT_EQ(take(4 * page - 64, 64), nullptr);
  arena->giveBack(64, 128);
  EXPECT_EQ(take(64, 128), first + 64);
}

TEST_F(ArenaTest, nothing_is_beyond_its_end) {
  EXPECT_EQ(take(4 * page - 64, 65), nullptr);
  EXPECT_EQ(take(4 * page, 64), nullptr);
  EXPECT_EQ(take(0, UINT64_MAX), nullptr);
}

TEST_F(ArenaTest, pages_are_given_back) {
  // What the system took back reads as zero.
  fill(0, page + 64);
  fill(page + 64, page);     // both are in page 1
  fill(2 * page + 64, page); // both are in page 2
  arena->giveBack(page + 64, page);
  EXPECT_EQ(first[page], 7) << "the first has it";
  EXPECT_EQ(first[2 * page + 64], 7) << "the third has it";
  arena->giveBack(0, page + 64);
  EXPECT_EQ(first[0], 0);
  EXPECT_EQ(first[2 * page - 1], 0) << "nobody has page 1";
  EXPECT_EQ(first[2 * page + 64], 7);
  arena->giveBack(2 * page + 64, page);
  EXPECT_EQ(first[2 * page], 0);
  EXPECT_EQ(first[3 * page], 0) << "the page at the end is nobody's";
  fill(0, 4 * page);
}
