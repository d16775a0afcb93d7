//===- RandomProgramsTest.cpp - Freed programs against unfreed ones -------===//
//
// Random programs, compiled and run in this process three times: as they are,
// never freeing; after our pipeline; after MLIR's own buffer-deallocation-
// pipeline. Ours gives the values of the first without a leak or a mistake, and
// has no more allocations than the last where all loops run and all branches
// are taken. Nor has it a higher peak, but for two programs in a hundred, and
// those by at most half: what buffers a result may bring is an estimate when
// buffers are hoisted.
//
// 200 programs, 5,000 with ONNXFOLD_LONG=1; ONNXFOLD_SEED=N starts with that
// seed, and a failure prints the seed of its program.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/ProgramGenerator.h"
#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace onnxfold;

namespace {

const char *const ours =
    "canonicalize,buffer-deallocation-and-reuse{stack-bytes=0}";
const char *const withStack =
    "canonicalize,buffer-deallocation-and-reuse{stack-bytes=512}";
const char *const upstream = "canonicalize,buffer-deallocation-pipeline";

unsigned numberOfPrograms() {
  return std::getenv("ONNXFOLD_LONG") ? 5000 : 200;
}

unsigned firstSeed() {
  const char *seed = std::getenv("ONNXFOLD_SEED");
  return seed ? std::atoi(seed) : 20261122;
}

Outcome run(const std::string &program, const char *pipeline,
            const char *lowering = ourLowering) {
  return runProgram(program, pipeline, lowering, 0, smallestBuffer);
}

struct Totals {
  unsigned programs = 0, compared = 0, higher = 0;
  int64_t ours = 0, upstream = 0, ourPeak = 0, upstreamPeak = 0;
};

void compare(const Outcome &mine, const std::string &program, Totals &totals) {
  Outcome theirs = run(program, upstream, upstreamLowering);
  // Theirs frees twice where a view has an offset; it refuses some programs.
  if (!theirs.error.empty() || !theirs.counts.clean())
    return;
  ++totals.compared;
  totals.ours += mine.counts.allocations;
  totals.upstream += theirs.counts.allocations;
  totals.ourPeak += mine.counts.peakBytes;
  totals.upstreamPeak += theirs.counts.peakBytes;
  EXPECT_LE(mine.counts.allocations, theirs.counts.allocations) << mine;
  totals.higher += mine.counts.peakBytes > theirs.counts.peakBytes;
  EXPECT_LE(mine.counts.peakBytes, 1.5 * theirs.counts.peakBytes) << mine;
}

void check(const GeneratorOptions &options, Totals &totals) {
  SCOPED_TRACE("ONNXFOLD_SEED=" + std::to_string(options.seed));
  std::string program = generateProgram(options);
  Outcome plain = run(program, "", upstreamLowering);
  ASSERT_EQ(plain.error, "") << program;
  Outcome mine = run(program, options.seed % 8 ? ours : withStack);
  ++totals.programs;
  ASSERT_EQ(mine.error, "") << program;
  EXPECT_TRUE(mine.counts.clean()) << mine << program;
  EXPECT_EQ(mine.values, plain.values) << mine << program;
  if (options.everythingRuns)
    compare(mine, program, totals);
}

TEST(RandomPrograms, AreFreedAsTheyShould) {
  Totals totals;
  unsigned first = firstSeed();
  for (unsigned i = 0; i < numberOfPrograms() && !testing::Test::HasFailure();
       ++i)
    check({first + i, (first + i) % 2 == 0}, totals);
  RecordProperty("programs", int(totals.programs));
  llvm::outs() << totals.programs << " programs; " << totals.compared
               << " compared with upstream: allocations " << totals.ours
               << " to " << totals.upstream << ", sum of peaks "
               << totals.ourPeak << " to " << totals.upstreamPeak
               << ", higher in " << totals.higher << "\n";
  EXPECT_GT(totals.compared, totals.programs / 4);
  EXPECT_LE(totals.higher, (totals.compared + 24) / 25);
}

/// The pass alone, on what upstream's passes make of a program: frees in
/// branches, lists of conditions, casts to plain memrefs.
void checkAfterUpstream(const GeneratorOptions &options, Totals &totals) {
  SCOPED_TRACE("ONNXFOLD_SEED=" + std::to_string(options.seed));
  std::string program = generateProgram(options);
  std::string early = std::string(upstream) +
                      ",func.func(optimize-allocation-liveness),canonicalize";
  Outcome theirs = run(program, early.c_str(), upstreamLowering);
  if (!theirs.error.empty() || !theirs.counts.clean())
    return;
  early += ",buffer-reuse{stack-bytes=0}";
  Outcome mine = run(program, early.c_str(), upstreamLowering);
  ++totals.programs;
  totals.ours += mine.counts.allocations;
  totals.upstream += theirs.counts.allocations;
  ASSERT_EQ(mine.error, "") << program;
  EXPECT_TRUE(mine.counts.clean()) << mine << theirs;
  EXPECT_EQ(mine.values, theirs.values) << mine << theirs;
  if (options.everythingRuns) {
    EXPECT_LE(mine.counts.allocations, theirs.counts.allocations)
        << mine << theirs;
  }
}

TEST(RandomPrograms, ThatUpstreamFreedAreReused) {
  Totals totals;
  unsigned first = firstSeed();
  for (unsigned i = 0;
       i < numberOfPrograms() / 3 && !testing::Test::HasFailure(); ++i)
    checkAfterUpstream({first + i, (first + i) % 2 == 0}, totals);
  llvm::outs() << totals.programs << " programs: allocations " << totals.ours
               << " to " << totals.upstream << "\n";
  EXPECT_GT(totals.programs, numberOfPrograms() / 6);
  EXPECT_LT(totals.ours, totals.upstream);
}

TEST(RandomPrograms, AreTheSameForTheSameSeed) {
  EXPECT_EQ(generateProgram({7, true}), generateProgram({7, true}));
  EXPECT_NE(generateProgram({7, true}), generateProgram({8, true}));
}

} // namespace
