//===- MemoryTest.cpp - Sharing, the budget, eviction ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HandWritten.h"

using namespace onnxfold::tensorfolding;
using namespace onnxfold::tensorfolding::testing;

namespace {
class MemoryTest : public RuntimeTest {
protected:
  /// A program with those values as weights, which live as long as the test.
  std::unique_ptr<FoldedProgram> withWeights(const SumProgram &sum,
                                             std::vector<int64_t> values,
                                             LoadOptions options = {}) {
    auto program = load(sum.metadata, sum.functions, options);
    for (size_t i = 0; i < values.size(); ++i) {
      weights.push_back(std::make_unique<Filled>(1000, values[i]));
      EXPECT_FALSE(
          program->setWeight(uint32_t(1 + i), weights.back()->tensor()));
    }
    return program;
  }

  std::vector<std::unique_ptr<Filled>> weights;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

TEST_F(MemoryTest, programs_with_equal_weights_share) {
  SumProgram sum(2);
  auto first = withWeights(sum, {1, 10});
  auto second = withWeights(sum, {10, 1}); // copies, in another order
  EXPECT_EQ(callSum(*first, 0), 22);
  EXPECT_EQ(callSum(*second, 1), 23);
  EXPECT_EQ(foldCount, 2);
  EXPECT_EQ(second->statistics().folds, 0u);
  EXPECT_EQ(second->statistics().shared, 2u);
  EXPECT_EQ(foldedMemory().bytes, 16000u);
  first.reset();
  EXPECT_EQ(foldedMemory().bytes, 16000u);
  EXPECT_EQ(callSum(*second, 2), 24);
  // A third one compares with what only the second one still has.
  auto third = withWeights(sum, {1, 10});
  EXPECT_EQ(callSum(*third, 0), 22);
  EXPECT_EQ(foldCount, 2);
}

TEST_F(MemoryTest, an_update_of_one_does_not_change_the_other) {
  SumProgram sum(1);
  auto first = withWeights(sum, {1}), second = withWeights(sum, {1});
  EXPECT_EQ(callSum(*first, 0), 2);
  EXPECT_EQ(callSum(*second, 0), 2);
  Filled better(1000, 5);
  EXPECT_FALSE(first->updateWeight(1, better.tensor()));
  EXPECT_FALSE(first->swap());
  first->freeInactive();
  EXPECT_EQ(callSum(*first, 0), 10);
  EXPECT_EQ(callSum(*second, 0), 2);
  EXPECT_EQ(foldedMemory().blocks, 2u);
}

TEST_F(MemoryTest, other_weights_are_not_shared) {
  SumProgram sum(1);
  auto first = withWeights(sum, {1}), second = withWeights(sum, {1});
  // A difference that samples of the bytes do not see: only the hash does.
  weights[1]->values[123] = 7;
  EXPECT_EQ(callSum(*first, 0), 2);
  std::vector<OwnedTensor> results;
  Filled x(1000, 0);
  Tensor inputs[] = {x.tensor()};
  EXPECT_FALSE(second->call(inputs, results));
  EXPECT_EQ(results[0].data<int64_t>()[122], 2);
  EXPECT_EQ(results[0].data<int64_t>()[123], 14);
  EXPECT_EQ(foldedMemory().blocks, 2u);
}

TEST_F(MemoryTest, other_parts_are_not_shared) {
  SumProgram sum(1), other(1, 1000, {1, 3}), unknown(1, 1000, {});
  auto a = withWeights(sum, {1}), b = withWeights(other, {1});
  auto c = withWeights(unknown, {1}), d = withWeights(unknown, {1});
  auto e = withWeights(sum, {1}, LoadOptions{/*share=*/false});
  for (FoldedProgram *program : {&*a, &*b, &*c, &*d, &*e})
    EXPECT_EQ(callSum(*program, 0), 2);
  EXPECT_EQ(foldCount, 5);
}

static void foldFive(Vector *result) {
  ++foldCount;
  for (int64_t i = 0; i < result->sizes[0]; ++i)
    result->at(i) = 5;
}

TEST_F(MemoryTest, parts_without_inputs_are_shared) {
  SumProgram sum(1);
  sum.metadata.parts[0].inputs.clear();
  sum.functions.add("sum.fold_runtime.0", foldFive);
  auto first = load(sum.metadata, sum.functions);
  auto second = load(sum.metadata, sum.functions);
  EXPECT_EQ(callSum(*first, 0), 5);
  EXPECT_EQ(callSum(*second, 0), 5);
  EXPECT_EQ(foldCount, 1);
}

//===----------------------------------------------------------------------===//
// Where values are
//===----------------------------------------------------------------------===//

static std::vector<int64_t *> places; // of each fold, in order
static void foldSomewhere(Vector *weight, Vector *result) {
  places.push_back(result->aligned);
  foldTwice(weight, result);
}

TEST_F(MemoryTest, parts_of_a_program_are_side_by_side) {
  places.clear();
  SumProgram sum(4);
  for (const Part &part : sum.metadata.parts)
    sum.functions.add(part.function.symbol, foldSomewhere);
  auto program = withWeights(sum, {1, 10, 100, 1000});
  EXPECT_EQ(callSum(*program, 0), 2222);
  ASSERT_EQ(places.size(), 4u);
  for (int i = 1; i < 4; ++i)
    EXPECT_EQ(places[i], places[0] + i * 1000);
  // The first two are evicted, and come back to their places.
  setFoldedMemoryBudget(17000);
  setFoldedMemoryBudget(noMemoryBudget);
  EXPECT_EQ(foldedMemory().blocks, 2u);
  EXPECT_EQ(callSum(*program, 0), 2222);
  ASSERT_EQ(places.size(), 6u);
  EXPECT_EQ(places[4], places[0]);
  EXPECT_EQ(places[5], places[1]);
}

TEST_F(MemoryTest, an_update_is_elsewhere_while_the_old_value_serves) {
  places.clear();
  SumProgram sum(2);
  for (const Part &part : sum.metadata.parts)
    sum.functions.add(part.function.symbol, foldSomewhere);
  auto program = withWeights(sum, {1, 10});
  EXPECT_EQ(callSum(*program, 0), 22);
  Filled better(1000, 5);
  EXPECT_FALSE(program->updateWeight(2, better.tensor()));
  EXPECT_FALSE(program->foldInactive());
  EXPECT_EQ(callSum(*program, 0), 22);
  ASSERT_EQ(places.size(), 3u);
  EXPECT_NE(places[2], places[1]);
  EXPECT_FALSE(program->swap());
  program->freeInactive();
  EXPECT_EQ(callSum(*program, 0), 12);
}

TEST_F(MemoryTest, values_outlive_the_program_that_folded_them) {
  SumProgram sum(2);
  auto first = withWeights(sum, {1, 10}), second = withWeights(sum, {7, 1});
  EXPECT_EQ(callSum(*first, 0), 22);
  EXPECT_EQ(callSum(*second, 0), 16);
  EXPECT_EQ(second->statistics().shared, 1u);
  first.reset(); // its arena is not: one part of it is the second's
  EXPECT_EQ(foldedMemory().bytes, 16000u);
  EXPECT_EQ(callSum(*second, 1), 17);
}

//===----------------------------------------------------------------------===//
// The budget
//===----------------------------------------------------------------------===//

TEST_F(MemoryTest, a_budget_of_a_byte_less_folds_again_and_stays_right) {
  SumProgram sum(2);
  auto program = withWeights(sum, {1, 10});
  setFoldedMemoryBudget(16000);
  EXPECT_EQ(callSum(*program, 0), 22);
  EXPECT_EQ(callSum(*program, 0), 22);
  EXPECT_EQ(foldCount, 2);
  setFoldedMemoryBudget(15999);
  EXPECT_EQ(foldedMemory().bytes, 8000u);
  for (int64_t call = 1; call <= 5; ++call) {
    EXPECT_EQ(callSum(*program, call), 22 + call);
    EXPECT_EQ(foldCount, 2 + call) << "one of the two parts";
    EXPECT_EQ(foldedMemory().bytes, 8000u) << "after the call";
  }
  EXPECT_EQ(program->statistics().evictions, 6u);
  setFoldedMemoryBudget(0);
  EXPECT_EQ(foldedMemory().bytes, 0u);
  EXPECT_EQ(callSum(*program, 0), 22);
  EXPECT_EQ(foldedMemory().bytes, 0u);
  setFoldedMemoryBudget(16000);
  EXPECT_EQ(callSum(*program, 0), 22);
  EXPECT_EQ(foldedMemory().bytes, 16000u);
}

TEST_F(MemoryTest, what_was_used_least_recently_goes_first) {
  SumProgram sum(1);
  setFoldedMemoryBudget(2 * 8000);
  auto a = withWeights(sum, {1}), b = withWeights(sum, {2});
  auto c = withWeights(sum, {3});
  EXPECT_EQ(callSum(*a, 0), 2);
  EXPECT_EQ(callSum(*b, 0), 4);
  EXPECT_EQ(callSum(*a, 0), 2); // b is the oldest now
  EXPECT_EQ(callSum(*c, 0), 6);
  EXPECT_EQ(a->statistics().evictions, 0u);
  EXPECT_EQ(b->statistics().evictions, 1u);
  EXPECT_EQ(foldedMemory().bytes, 16000u);
  EXPECT_EQ(callSum(*b, 0), 4); // a is
  EXPECT_EQ(a->statistics().evictions, 1u);
  EXPECT_EQ(c->statistics().evictions, 0u);
  EXPECT_EQ(foldCount, 4);
}

TEST_F(MemoryTest, a_shared_block_is_evicted_for_all) {
  SumProgram sum(1);
  auto a = withWeights(sum, {1}), b = withWeights(sum, {1});
  EXPECT_EQ(callSum(*a, 0), 2);
  EXPECT_EQ(callSum(*b, 0), 2);
  setFoldedMemoryBudget(0);
  EXPECT_EQ(foldedMemory().bytes, 0u);
  EXPECT_EQ(a->statistics().evictions + b->statistics().evictions, 2u);
  setFoldedMemoryBudget(noMemoryBudget);
  EXPECT_EQ(callSum(*b, 0), 2);
  EXPECT_EQ(callSum(*a, 0), 2);
  EXPECT_EQ(foldCount, 2) << "shared again";
}

TEST_F(MemoryTest, a_program_that_has_a_block_twice_is_evicted_once) {
  // Eviction went through a block's snapshots and met the same one twice, which
  // was then used for two sets at once.
  SumProgram sum(2);
  auto program = withWeights(sum, {1, 1});
  EXPECT_EQ(callSum(*program, 0), 4);
  EXPECT_EQ(foldedMemory().blocks, 1u);
  setFoldedMemoryBudget(0);
  setFoldedMemoryBudget(noMemoryBudget);
  Filled better(1000, 5);
  EXPECT_FALSE(program->updateWeight(1, better.tensor()));
  EXPECT_EQ(callSum(*program, 0), 4);
  EXPECT_FALSE(program->foldInactive());
  EXPECT_EQ(callSum(*program, 0), 4);
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(callSum(*program, 0), 12);
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(callSum(*program, 0), 4);
}

TEST_F(MemoryTest, an_inactive_set_may_be_evicted_too) {
  SumProgram sum(1);
  auto program = withWeights(sum, {1});
  EXPECT_EQ(callSum(*program, 0), 2);
  Filled better(1000, 5);
  EXPECT_FALSE(program->updateWeight(1, better.tensor()));
  EXPECT_FALSE(program->foldInactive());
  EXPECT_EQ(foldedMemory().bytes, 16000u);
  setFoldedMemoryBudget(0);
  setFoldedMemoryBudget(noMemoryBudget);
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(callSum(*program, 0), 10);
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(callSum(*program, 0), 2);
  EXPECT_EQ(foldCount, 4);
}
