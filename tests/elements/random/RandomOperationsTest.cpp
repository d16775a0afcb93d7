//===- RandomOperationsTest.cpp - Every operation against a naive one -----===//
// SPDX-License-Identifier: Apache-2.0
//
// Random programs of operations (RandomCase.h), 1,000 of them, and 10,000 with
// ONNXFOLD_LONG=1. Each has a seed of its own, that of the run plus its number:
//
//   export ONNXFOLD_SEED=20261821 ONNXFOLD_CASES=1
//   elements-test --gtest_filter='RandomOperations.Agree*'
//
// runs again the one that a failure names. The digest at the end is of all
// bytes that were read: it is the same for a seed with any number of threads
// (ONNXFOLD_THREADS) and on any processor (test_determinism.py).
//
//===----------------------------------------------------------------------===//

#include "RandomCase.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "llvm/ADT/STLExtras.h"
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
    addWindowOperations(all);
    addMonoidOperations(all);
    addHandleOperations(all);
    addPrecisionOperations(all);
    addGeneratorOperations(all);
    addMatrixOperations(all);
    addQuantizationOperations(all);
    return all;
  }();
  return list;
}

namespace {
/// What a run did with one operation.
struct Tally {
  int64_t count = 0;
  Case::Coverage coverage;
};

/// Too little memory for what large programs keep.
class LittleMemory {
public:
  explicit LittleMemory(bool isLittle) : before(memoryLimits()) {
    if (!isLittle)
      return;
    MemoryLimits limits = before;
    limits.keptBytes = 128 << 10;
    limits.recycledBytes = 0;
    limits.smallestSpilled = 4 << 10;
    setMemoryLimits(limits);
  }
  ~LittleMemory() { setMemoryLimits(before); }

private:
  MemoryLimits before;
};
} // namespace

/// One program; notes what it ran. Returns the digest.
static uint64_t runCase(int64_t seed, std::vector<Tally> &tallies) {
  // Large tensors are what loops are cut for.
  bool isLarge = seed % 40 == 0;
  LittleMemory memory(isLarge && seed % 80 == 0);
  Case c(seed, isLarge);
  int64_t last = operations().size() - 1;
  // Operations take turns, so that a few cases see all of them.
  int64_t next = seed % (last + 1);
  for (int64_t left = c.random.integer(2, 6); left > 0;
       next = c.random.integer(0, last)) {
    bool fits = operations()[next].run(c);
    Case::Coverage coverage = c.takeCoverage();
    if (!fits)
      continue;
    ++tallies[next].count;
    tallies[next].coverage.merge(coverage);
    --left;
    if (testing::Test::HasFailure())
      return 0;
  }
  c.finish();
  return c.digest();
}

/// All programs of a run; 0 after a failure.
static uint64_t runCases(int64_t count, std::vector<Tally> &tallies) {
  uint64_t digest = 0;
  for (int64_t i = 0; i < count; ++i) {
    digest = digest * 31 + runCase(firstSeed() + i, tallies);
    if (testing::Test::HasFailure())
      return 0;
  }
  return digest;
}

/// A kind that never fits, or a type that never comes, would go unseen.
static void checkCoverage(int64_t cases, llvm::ArrayRef<Tally> tallies) {
  for (auto [operation, tally] : llvm::zip_equal(operations(), tallies)) {
    if (cases >= 1000) {
      EXPECT_GE(tally.count, cases / 100) << operation.name;
    }
    if (cases >= 10000) {
      EXPECT_EQ(tally.coverage.ranks, tally.coverage.allRanks)
          << operation.name << ": not every rank";
      EXPECT_EQ(tally.coverage.types, tally.coverage.allTypes)
          << operation.name << ": not every type";
    }
  }
}

TEST(RandomOperations, AgreeWithNaiveOnes) {
  std::vector<Tally> tallies(operations().size());
  int64_t cases = numCases(), total = 0, least = INT64_MAX;
  std::printf("RandomOperations: seed %" PRId64 ", %" PRId64 " cases\n",
              firstSeed(), cases);
  llvm::DefaultThreadPool pool(
      llvm::hardware_concurrency(environment("ONNXFOLD_THREADS", 1)));
  ParallelScope scope(pool);
  uint64_t digest = runCases(cases, tallies);
  if (HasFailure())
    return;
  for (const Tally &tally : tallies) {
    total += tally.count;
    least = std::min(least, tally.count);
  }
  std::printf("RandomOperations: %" PRId64
              " operations of %zu kinds, each %" PRId64
              " times or more, digest %016" PRIx64 "\n",
              total, tallies.size(), least, digest);
  checkCoverage(cases, tallies);
}

/// Few of the cases do for what is one code path however large tensors are.
static int64_t fewerCases() { return std::min<int64_t>(numCases(), 400); }

static uint64_t digestOfFewer() {
  std::vector<Tally> tallies(operations().size());
  return runCases(fewerCases(), tallies);
}

// Which thread does what never shows in the bytes, NaNs included.
TEST(RandomOperations, SameBytesWithAnyNumberOfThreads) {
  uint64_t expected = digestOfFewer();
  for (unsigned threads : {1u, 2u, 3u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    EXPECT_EQ(digestOfFewer(), expected) << threads << " threads";
  }
}

// Neither does the processor. (Levels that it does not have are not raised.)
TEST(RandomOperations, SameBytesAtAnyCpuLevel) {
  uint64_t expected = digestOfFewer();
  for (CpuLevel level :
       {CpuLevel::Baseline, CpuLevel::Avx2, CpuLevel::Avx512}) {
    ForcedCpuLevel forced(level);
    EXPECT_EQ(digestOfFewer(), expected) << "level " << int(level);
  }
}
