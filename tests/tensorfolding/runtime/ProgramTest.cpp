//===- ProgramTest.cpp - One program: folding, updates, errors ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HandWritten.h"

using namespace onnxfold::tensorfolding;
using namespace onnxfold::tensorfolding::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
class ProgramTest : public RuntimeTest {};
} // namespace

TEST_F(ProgramTest, folds_at_the_first_call_and_never_again) {
  SumProgram sum(2);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 10), b(1000, 100);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  EXPECT_FALSE(program->setWeight(2, b.tensor()));
  EXPECT_EQ(foldCount, 0);
  EXPECT_EQ(callSum(*program, 1), 221);
  EXPECT_EQ(callSum(*program, 2), 222);
  EXPECT_EQ(callSum(*program, 3), 223);
  EXPECT_EQ(foldCount, 2);
  EXPECT_EQ(program->statistics().folds, 2u);
  // 8000 bytes are a multiple of 64.
  EXPECT_EQ(foldedMemory().bytes, 16000u);
  EXPECT_EQ(foldedMemory().blocks, 2u);
  program.reset();
  EXPECT_EQ(foldedMemory().bytes, 0u);
}

TEST_F(ProgramTest, fold_before_the_first_call) {
  SumProgram sum(1);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 10);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  EXPECT_FALSE(program->fold());
  EXPECT_EQ(foldCount, 1);
  EXPECT_EQ(callSum(*program, 1), 21);
  EXPECT_EQ(foldCount, 1);
}

TEST_F(ProgramTest, results_are_allocated_if_asked_for) {
  SumProgram sum(1, 3);
  auto program = load(sum.metadata, sum.functions);
  Filled a(3, 10), x(3, 5);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  std::vector<OwnedTensor> results;
  Tensor inputs[] = {x.tensor()};
  EXPECT_FALSE(program->call(inputs, results));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_THAT(results[0].shape(), ElementsAre(3));
  EXPECT_EQ(uintptr_t(results[0].data<int64_t>()) % 64, 0u);
  EXPECT_EQ(results[0].data<int64_t>()[2], 25);
}

TEST_F(ProgramTest, callUnchecked_takes_descriptors) {
  SumProgram sum(1, 2);
  auto program = load(sum.metadata, sum.functions);
  Filled a(2, 10);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  int64_t x[] = {1, 2}, y[] = {0, 0};
  Vector in = {x, x, 0, {2}, {1}}, out = {y, y, 0, {2}, {1}};
  void *arguments[] = {&in, &out};
  EXPECT_FALSE(program->callUnchecked(arguments, nullptr));
  EXPECT_THAT(y, ElementsAre(21, 22));
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, an_update_folds_only_what_depends_on_it) {
  SumProgram sum(4);
  auto program = load(sum.metadata, sum.functions);
  Filled w(1000, 1), better(1000, 50);
  for (uint32_t i = 1; i <= 4; ++i)
    EXPECT_FALSE(program->setWeight(i, w.tensor()));
  EXPECT_EQ(callSum(*program, 0), 8);
  int64_t before = foldCount; // one: equal parts of equal weights are shared
  EXPECT_FALSE(program->updateWeight(3, better.tensor()));
  EXPECT_EQ(callSum(*program, 0), 8) << "seen before the swap";
  EXPECT_FALSE(program->foldInactive());
  EXPECT_EQ(foldCount, before + 1);
  EXPECT_EQ(callSum(*program, 0), 8) << "seen before the swap";
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(callSum(*program, 0), 106);
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(callSum(*program, 0), 8) << "swapped back";
  EXPECT_FALSE(program->swap());
  program->freeInactive();
  EXPECT_EQ(callSum(*program, 0), 106);
  EXPECT_EQ(foldCount, before + 1);
  EXPECT_TRUE(program->swap()) << "there is no inactive set";
}

TEST_F(ProgramTest, a_swap_without_folding_folds_at_the_next_call) {
  SumProgram sum(2);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 1), b(1000, 2), c(1000, 3), d(1000, 4);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  EXPECT_FALSE(program->setWeight(2, b.tensor()));
  EXPECT_EQ(callSum(*program, 0), 6);
  // Two updates of one set; the second one of the same weight wins.
  EXPECT_FALSE(program->updateWeight(1, c.tensor()));
  EXPECT_FALSE(program->updateWeight(2, c.tensor()));
  EXPECT_FALSE(program->updateWeight(2, d.tensor()));
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(foldCount, 2);
  EXPECT_EQ(callSum(*program, 0), 14);
  EXPECT_EQ(foldCount, 4);
}

TEST_F(ProgramTest, weights_are_released_once_after_their_last_use) {
  SumProgram sum(1);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 1), b(1000, 2);
  int releasedA = 0, releasedB = 0, releasedC = 0;
  auto count = [](int &counter) { return [&counter] { ++counter; }; };
  EXPECT_FALSE(program->setWeight(1, a.tensor(), count(releasedA)));
  EXPECT_EQ(callSum(*program, 0), 2);
  EXPECT_TRUE(program->setWeight(1, b.tensor(), count(releasedC)));
  EXPECT_EQ(releasedC, 1) << "a weight that was refused";
  EXPECT_FALSE(program->updateWeight(1, b.tensor(), count(releasedB)));
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(callSum(*program, 0), 4);
  EXPECT_EQ(releasedA, 0) << "it can be swapped back";
  program->freeInactive();
  EXPECT_EQ(releasedA, 1);
  EXPECT_EQ(releasedB, 0) << "it may be folded again after an eviction";
  program.reset();
  EXPECT_EQ(releasedA, 1);
  EXPECT_EQ(releasedB, 1);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, a_call_without_all_weights_names_the_missing_one) {
  SumProgram sum(2);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 1), x(1000, 0);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  Tensor one[] = {x.tensor()};
  Error error = program->call(one, one);
  EXPECT_EQ(error.code(), ErrorCode::WeightMissing);
  EXPECT_EQ(error.message(),
            "entry 'sum': argument 2 'w1' (tensor<1000xi64>) has no value, "
            "expected one by setWeight before the first call");
  EXPECT_EQ(program->updateWeight(2, a.tensor()).code(),
            ErrorCode::WeightMissing);
  EXPECT_EQ(foldCount, 0);
  EXPECT_FALSE(program->setWeight(2, a.tensor()));
  EXPECT_EQ(callSum(*program, 1), 5);
}

TEST_F(ProgramTest, wrong_weights_are_refused_with_what_they_have) {
  SumProgram sum(1);
  auto program = load(sum.metadata, sum.functions);
  Filled right(1000, 1), shorter(999, 1);
  std::vector<float> floats(1000);
  int64_t shape[] = {1000}, matrix[] = {10, 100};
  auto message = [&](uint32_t argument, const Tensor &value) {
    return program->setWeight(argument, value).message();
  };
  EXPECT_EQ(message(1, tensor(floats.data(), shape)),
            "entry 'sum': argument 1 'w0' has element type f32, expected i64");
  EXPECT_EQ(message(1, shorter.tensor()),
            "entry 'sum': argument 1 'w0' has shape 999, expected 1000");
  EXPECT_EQ(message(1, tensor(right.values.data(), matrix)),
            "entry 'sum': argument 1 'w0' has shape 10x100, expected 1000");
  EXPECT_EQ(message(1, tensor(right.values.data(), {})),
            "entry 'sum': argument 1 'w0' has shape of rank 0, expected 1000");
  EXPECT_EQ(message(1, {nullptr, i64(), 1, shape}),
            "entry 'sum': argument 1 'w0' has no data, expected the address of "
            "its first element");
  int64_t farAway[] = {INT64_MAX / 4};
  EXPECT_EQ(message(1, {right.values.data(), i64(), 1, shape, farAway}),
            "entry 'sum': argument 1 'w0' has more bytes than an address can "
            "name, expected less");
  EXPECT_EQ(message(0, right.tensor()),
            "entry 'sum': argument 0 'x' is an input, expected a constant");
  EXPECT_EQ(message(2, right.tensor()),
            "entry 'sum': argument 2 does not exist, expected a number below "
            "2");
  EXPECT_EQ(message(1, right.tensor()), "");
  EXPECT_EQ(message(1, right.tensor()),
            "entry 'sum': argument 1 'w0' has a value already, expected "
            "updateWeight for another one");
  EXPECT_EQ(callSum(*program, 0), 2);
}

TEST_F(ProgramTest, wrong_inputs_of_calls_are_refused) {
  SumProgram sum(1);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 1), shorter(999, 0);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  Tensor right[] = {a.tensor()}, wrong[] = {shorter.tensor()};
  EXPECT_EQ(program->call({}, right).message(),
            "entry 'sum': the call has 0 inputs, expected 1");
  EXPECT_EQ(program->call(wrong, right).message(),
            "entry 'sum': argument 0 'x' has shape 999, expected 1000");
  EXPECT_EQ(program->call(right, wrong).message(),
            "entry 'sum': the buffer for result 0 has shape 999, expected "
            "1000");
  EXPECT_EQ(program->call(right, std::span<const Tensor>()).message(),
            "entry 'sum': the call has 0 buffers for results, expected 1");
  int64_t backwards[] = {-1};
  Tensor reversed[] = {a.tensor()};
  reversed[0].strides = backwards;
  EXPECT_EQ(program->call(reversed, right).message(),
            "entry 'sum': argument 0 'x' has strides, expected row-major "
            "order");
}

TEST_F(ProgramTest, missing_functions_are_named) {
  SumProgram sum(1);
  sum.functions.addresses.erase("_mlir_ciface_sum.fold_runtime.0");
  Error error;
  EXPECT_EQ(load(sum.metadata, sum.functions, error), nullptr);
  EXPECT_EQ(error.code(), ErrorCode::FunctionNotFound);
  EXPECT_EQ(error.message(),
            "function 'sum.fold_runtime.0' has no symbol "
            "'_mlir_ciface_sum.fold_runtime.0' in the program, expected it as "
            "functions with llvm.emit_c_interface have");
}

TEST_F(ProgramTest, updates_of_what_no_part_takes_are_refused) {
  // A constant that was folded at compile time: its value may be given as all
  // others are, but another one would have no effect.
  SumProgram sum(1);
  sum.metadata.arguments.push_back(
      {"folded", ArgumentRole::CompileTimeConstant, vectorType(4)});
  auto program = load(sum.metadata, sum.functions);
  EXPECT_FALSE(program->needsWeight(2));
  EXPECT_TRUE(program->needsWeight(1));
  EXPECT_FALSE(program->needsWeight(0));
  Filled a(1000, 1), unused(4, 1);
  int released = 0;
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  EXPECT_FALSE(program->setWeight(2, unused.tensor(), [&] { ++released; }));
  EXPECT_EQ(released, 1);
  EXPECT_EQ(program->updateWeight(2, unused.tensor()).message(),
            "entry 'sum': argument 2 'folded' was folded when the program was "
            "compiled, expected one that is folded at run time");
}

//===----------------------------------------------------------------------===//
// Folds that fail
//===----------------------------------------------------------------------===//

static bool refuseMemory = false;

static void *allocateOrRefuse(size_t alignment, size_t bytes) {
  return refuseMemory ? nullptr : std::aligned_alloc(alignment, bytes);
}

TEST_F(ProgramTest, a_fold_without_memory_leaves_the_cache_whole) {
  setFoldedMemoryAllocator({allocateOrRefuse, std::free});
  SumProgram sum(2);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 1), b(1000, 10), x(1000, 0);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  EXPECT_FALSE(program->setWeight(2, b.tensor()));
  Tensor one[] = {x.tensor()};
  refuseMemory = true;
  Error error = program->call(one, one);
  EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(error.message(),
            "entry 'sum': function 'sum.fold_runtime.0' has no memory for its "
            "folded values (8000 bytes)");
  EXPECT_EQ(foldedMemory().bytes, 0u);
  refuseMemory = false;
  EXPECT_EQ(callSum(*program, 0), 22);
  // An update that fails does not touch what serves.
  EXPECT_FALSE(program->updateWeight(1, b.tensor(), {}));
  Filled c(1000, 100);
  EXPECT_FALSE(program->updateWeight(2, c.tensor()));
  refuseMemory = true;
  EXPECT_EQ(program->foldInactive().code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(callSum(*program, 0), 22);
  refuseMemory = false;
  EXPECT_FALSE(program->foldInactive());
  EXPECT_FALSE(program->swap());
  EXPECT_EQ(callSum(*program, 0), 220);
  program.reset();
  setFoldedMemoryAllocator({std::aligned_alloc, std::free});
}

static bool failNext = false;
static void throwOnce(Vector *weight, Vector *result) {
  if (std::exchange(failNext, false))
    throw std::runtime_error("the disk is on fire");
  foldTwice(weight, result);
}

TEST_F(ProgramTest, what_a_part_folded_stays_when_another_one_fails) {
  SumProgram sum(2);
  sum.functions.add("sum.fold_runtime.1", throwOnce);
  auto program = load(sum.metadata, sum.functions);
  Filled a(1000, 1), b(1000, 10), x(1000, 0);
  EXPECT_FALSE(program->setWeight(1, a.tensor()));
  EXPECT_FALSE(program->setWeight(2, b.tensor()));
  failNext = true;
  Tensor one[] = {x.tensor()};
  Error error = program->call(one, one);
  EXPECT_EQ(error.code(), ErrorCode::FoldFailed);
  EXPECT_EQ(error.message(), "entry 'sum': function 'sum.fold_runtime.1' "
                             "failed: the disk is on fire");
  EXPECT_EQ(foldCount, 1);
  EXPECT_EQ(foldedMemory().bytes, 8000u);
  EXPECT_EQ(callSum(*program, 0), 22);
  EXPECT_EQ(foldCount, 2);
}
