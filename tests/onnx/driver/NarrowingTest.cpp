//===- NarrowingTest.cpp - The items of a list that a fault needs ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/Narrowing.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace onnxfold;

namespace {

using Items = std::set<size_t>;
using Fault = std::function<bool(const Items &)>;

/// Each item is beside the next one.
Neighbours chain(size_t count) {
  Neighbours neighbours(count);
  for (size_t i = 1; i < count; ++i) {
    neighbours[i - 1].push_back(i);
    neighbours[i].push_back(i - 1);
  }
  return neighbours;
}

/// Answers the questions of a narrowing, and counts those that counted.
struct Search {
  Fault isInteresting, isModel = [](const Items &) { return true; };
  unsigned asked = 0;
  std::vector<Items> tested = {};

  Narrowing::Answer answer(const Narrowing &narrowing,
                           const Narrowing::Question &question) {
    ++asked;
    for (int cut : question.cuts) {
      Items items = narrowing.items(cut);
      EXPECT_FALSE(items.empty());
      if (!isModel(items))
        continue;
      tested.push_back(items);
      return {cut, isInteresting(items)};
    }
    return {};
  }

  Items run(size_t count, size_t atOnce = 1) {
    return run(chain(count), atOnce);
  }

  Items run(const Neighbours &neighbours, size_t atOnce,
            const Groups &groups = {}) {
    Narrowing narrowing(neighbours.size(), neighbours, groups);
    while (!narrowing.isDone()) {
      auto questions = narrowing.questions(atOnce);
      EXPECT_FALSE(questions.empty());
      EXPECT_LE(questions.size(), atOnce);
      std::vector<Narrowing::Answer> answers;
      for (const Narrowing::Question &question : questions)
        answers.push_back(answer(narrowing, question));
      narrowing.hear(questions, answers);
    }
    return narrowing.needed();
  }
};

Fault containing(Items all) {
  return [all = std::move(all)](const Items &items) {
    return std::includes(items.begin(), items.end(), all.begin(), all.end());
  };
}

Items randomItems(std::mt19937 &random, size_t count, size_t among) {
  Items items;
  while (items.size() < count)
    items.insert(random() % among);
  return items;
}

} // namespace

TEST(NarrowingTest, ListsOfNoneAndOne) {
  EXPECT_TRUE(Narrowing(0, {}).isDone());
  EXPECT_TRUE(Narrowing(0, {}).needed().empty());
  EXPECT_TRUE(Narrowing(1, {{}}).isDone());
  EXPECT_EQ(Narrowing(1, {{}}).needed(), Items({0}));
}

TEST(NarrowingTest, EveryPairOfAList) {
  for (size_t a = 0; a != 20; ++a)
    for (size_t b = a; b != 20; ++b)
      EXPECT_EQ(Search{containing({a, b})}.run(20), Items({a, b}));
}

/// About log2(n) questions for each item, and one for each set of needed ones.
TEST(NarrowingTest, AsksFewQuestions) {
  std::mt19937 random(50);
  for (size_t count : {10, 100, 300, 3000})
    for (size_t needed : {1, 2, 3, 5})
      for (unsigned i = 0; i != 4; ++i) {
        Items wanted = randomItems(random, needed, count);
        Search search{containing(wanted)};
        EXPECT_EQ(search.run(count), wanted);
        double most = std::log2(double(count)) + std::log2(std::log2(count));
        EXPECT_LE(search.asked, double(needed) * (most + 2));
      }
}

/// A layer at the beginning, and nodes side by side, take less than halving.
TEST(NarrowingTest, AsksFewestNearTheBeginningAndTheNeighbours) {
  Search first{containing({5})};
  first.run(3000);
  EXPECT_LE(first.asked, 8u);
  Search neighbours{containing({1500, 1501})};
  neighbours.run(3000);
  EXPECT_LE(neighbours.asked, 14u + 1 + 7 + 1);
}

/// What is far away in the list may be beside the needed items.
TEST(NarrowingTest, AsksFewestForNeighboursThatAreFarAway) {
  Neighbours neighbours(3000);
  neighbours[7] = {2000};
  neighbours[2000] = {7};
  Search search{containing({7, 2000})};
  EXPECT_EQ(search.run(neighbours, 1), Items({7, 2000}));
  EXPECT_LE(search.asked, 14u + 1 + 7 + 1);
}

/// Items far from the beginning and from each other, where groups name them.
TEST(NarrowingTest, AsksFewestForGroups) {
  Groups groups = {{2999, 1000, 500, 7}, {2999, 998, 999}};
  Search one{containing({1000})};
  EXPECT_EQ(one.run(chain(3000), 1, groups), Items({1000}));
  EXPECT_LE(one.asked, 1u + 2 + 1);
  Search both{containing({998, 1000})};
  EXPECT_EQ(both.run(chain(3000), 1, groups), Items({998, 1000}));
  EXPECT_LE(both.asked, 2u + 1 + 1 + 3 + 1);
  Search other{containing({2000})};
  EXPECT_EQ(other.run(chain(3000), 1, groups), Items({2000}));
  EXPECT_LE(other.asked, 2u + 14 + 1);
}

/// Nothing but beginnings are models: the items are in their own order then.
TEST(NarrowingTest, GroupsThatAreNoModels) {
  auto isBeginning = [](const Items &items) {
    return *items.rbegin() + 1 == items.size();
  };
  Search search{containing({40}), isBeginning};
  Items found = search.run(chain(3000), 1, {{2000, 1000, 40}, {7, 8}});
  EXPECT_EQ(*found.rbegin(), 40u);
  EXPECT_EQ(found.size(), 41u);
}

TEST(NarrowingTest, TheSameWhateverIsAskedAtOnce) {
  std::mt19937 random(51);
  const Groups groups = {{59, 7, 30, 31}, {8, 7, 40, 41, 42}}, none;
  for (unsigned i = 0; i != 50; ++i) {
    // Not even monotone.
    uint64_t salt = random();
    auto fault = [&](const Items &items) {
      uint64_t sum = salt;
      for (size_t item : items)
        sum = sum * 31 + item;
      return sum % 3 == 0;
    };
    auto isModel = [&](const Items &items) {
      return (items.size() * salt) % 5 != 0;
    };
    const Groups &used = i % 2 ? groups : none;
    Items one = Search{fault, isModel}.run(chain(60), 1, used);
    for (size_t atOnce : {2, 3, 8, 64})
      EXPECT_EQ((Search{fault, isModel}.run(chain(60), atOnce, used)), one);
  }
}

/// Where a cut is no model, those beside it are asked for.
TEST(NarrowingTest, CutsThatAreNoModels) {
  Search search{containing({17}), [](const Items &items) {
                  return items.size() % 7 == 0 || items.size() == 1 ||
                         items.size() == 18;
                }};
  EXPECT_EQ(search.run(300), Items({17}));
  // Nothing else than the whole list is one.
  Search none{containing({3}), [](const Items &) { return false; }};
  EXPECT_EQ(none.run(8), Items({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(none.tested.empty());
}

/// Of the last interesting list no item can go.
TEST(NarrowingTest, EachItemOfAFoundListIsNeeded) {
  for (size_t a = 0; a != 5; ++a) {
    Items all = {0, 1, 2, 3, 4}, without = all;
    without.erase(a);
    Search search{containing(all)};
    EXPECT_EQ(search.run(5), all);
    EXPECT_EQ(std::count(search.tested.begin(), search.tested.end(), without),
              1);
  }
}
