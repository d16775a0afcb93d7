//===- RandomOperationsTest.cpp - Every operation against a naive one -----===//
//
// Random programs of operations (RandomCase.h), 1,000 of them, and 10,000 with
// ONNXFOLD_LONG=1. Each has a seed of its own, that of the run plus its number:
//
//   export ONNXFOLD_SEED=20261821 ONNXFOLD_CASES=1
//   elements-test --gtest_filter='RandomOperations.Agree*'
//
// runs again the one that a failure names. The digest at the end is of all
// bytes that were read: it is the same for a seed with any number of threads
// and on any processor (test_determinism.py).
//
//===----------------------------------------------------------------------===//

#include "RandomCase.h"
#include "onnxfold/elements/Parallel.h"
#include "llvm/Support/ThreadPool.h"
#include <cinttypes>
#include <cstdlib>

using namespace onnxfold;

static int64_t environment(const char *name, int64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoll(value, nullptr, 10) : otherwise;
}

static int64_t firstSeed() { return environment("ONNXFOLD_SEED", 20261121); }

static int64_t numCases() {
  return environment("ONNXFOLD_CASES",
                     std::getenv("ONNXFOLD_LONG") ? 10000 : 1000);
}

static const OperationList &operations() {
  static const OperationList list = [] {
    OperationList all;
    addViewOperations(all);
    addElementwiseOperations(all);
    addMovementOperations(all);
    addIndexOperations(all);
    addReductionOperations(all);
    addSearchOperations(all);
    addUniqueOperations(all);
    addGeneratorOperations(all);
    addMatrixOperations(all);
    addQuantizationOperations(all);
    return all;
  }();
  return list;
}

/// One program; counts what it ran. Returns the digest.
static uint64_t runCase(int64_t seed, std::vector<int64_t> &counts) {
  // Large tensors are what loops are cut for.
  Case c(seed, /*large=*/seed % 40 == 0);
  int64_t last = operations().size() - 1;
  // Operations take turns, so that a few cases see all of them.
  int64_t next = seed % (last + 1);
  for (int64_t left = c.random.integer(1, 4); left > 0;
       next = c.random.integer(0, last)) {
    if (!operations()[next].run(c))
      continue;
    ++counts[next];
    --left;
    if (testing::Test::HasFailure())
      return 0;
  }
  c.finish();
  return c.digest();
}

/// All programs of a run; 0 after a failure.
static uint64_t runCases(int64_t count, std::vector<int64_t> &counts) {
  uint64_t digest = 0;
  for (int64_t i = 0; i < count; ++i) {
    digest = digest * 31 + runCase(firstSeed() + i, counts);
    if (testing::Test::HasFailure())
      return 0;
  }
  return digest;
}

TEST(RandomOperations, AgreeWithNaiveOnes) {
  std::vector<int64_t> counts(operations().size());
  int64_t cases = numCases();
  std::printf("RandomOperations: seed %" PRId64 ", %" PRId64 " cases\n",
              firstSeed(), cases);
  uint64_t digest = runCases(cases, counts);
  if (HasFailure())
    return;
  int64_t total = 0, least = counts[0];
  for (int64_t count : counts) {
    total += count;
    least = std::min(least, count);
  }
  std::printf("RandomOperations: %" PRId64
              " operations of %zu kinds, each %" PRId64
              " times or more, digest %016" PRIx64 "\n",
              total, counts.size(), least, digest);
  // A kind that never fits would go unseen.
  for (size_t i = 0; i < counts.size() && cases >= 1000; ++i)
    EXPECT_GE(counts[i], cases / 100) << operations()[i].name;
}

// Which thread does what never shows in the bytes, NaNs included.
TEST(RandomOperations, SameBytesWithAnyNumberOfThreads) {
  int64_t cases = std::min<int64_t>(numCases(), 400);
  std::vector<int64_t> counts(operations().size());
  uint64_t expected = runCases(cases, counts);
  for (unsigned threads : {1u, 2u, 3u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    EXPECT_EQ(runCases(cases, counts), expected) << threads << " threads";
  }
}
