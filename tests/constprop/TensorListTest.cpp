//===- TensorListTest.cpp - The tensors of a sequence ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/TensorList.h"
#include "gtest/gtest.h"
#include <random>

using namespace onnxfold;

static Elements numbered(int64_t i) { return Elements::splat<int64_t>({}, i); }

static std::vector<int64_t> numbersOf(const TensorList &list) {
  std::vector<int64_t> numbers;
  for (const Elements &tensor : list.tensors())
    numbers.push_back(tensor.value<int64_t>());
  return numbers;
}

TEST(TensorList, OfGivenTensors) {
  for (int64_t size = 0; size < 20; ++size) {
    std::vector<Elements> tensors;
    for (int64_t i = 0; i < size; ++i)
      tensors.push_back(numbered(i));
    TensorList list(tensors);
    ASSERT_EQ(list.size(), size_t(size));
    EXPECT_EQ(list.empty(), size == 0);
    for (int64_t i = 0; i < size; ++i)
      EXPECT_EQ(list[i].value<int64_t>(), i);
  }
}

/// Whatever is inserted and erased, it is what a vector would be, and earlier
/// lists are unchanged.
TEST(TensorList, LikeAVector) {
  std::mt19937 random(20261123);
  TensorList list;
  std::vector<int64_t> expected;
  std::vector<std::pair<TensorList, std::vector<int64_t>>> earlier;
  for (int64_t step = 0; step < 3000; ++step) {
    bool grows = expected.empty() || random() % 5 < (step < 2000 ? 3 : 2);
    if (grows) {
      size_t at = random() % (expected.size() + 1);
      list = list.inserted(at, numbered(step));
      expected.insert(expected.begin() + at, step);
    } else {
      size_t at = random() % expected.size();
      list = list.erased(at);
      expected.erase(expected.begin() + at);
    }
    ASSERT_EQ(list.size(), expected.size());
    if (step % 100 == 0)
      earlier.emplace_back(list, expected);
  }
  EXPECT_EQ(numbersOf(list), expected);
  for (const auto &[old, numbers] : earlier)
    EXPECT_EQ(numbersOf(old), numbers);
}

/// A chain of 20,000 SequenceInserts took 5.3 GB: each had a copy of the list.
TEST(TensorList, ListsShare) {
  constexpr int64_t many = 20000;
  Elements one = numbered(1);
  std::vector<TensorList> lists(1);
  for (int64_t i = 0; i < many; ++i)
    lists.push_back(lists.back().inserted(i, one));
  for (int64_t i = 0; i <= many; i += 1000)
    EXPECT_EQ(lists[i].size(), size_t(i));
  EXPECT_FALSE(lists[many].isTrueOfAll([](const Elements &) { return false; }));
  // Erased from the front, too, it is balanced: none of this is deep.
  TensorList list = lists[many];
  for (int64_t i = 0; i < many; ++i)
    list = list.erased(0);
  EXPECT_TRUE(list.empty());
}
