//===- RandomVariantsTest.cpp - deallocate on random programs -------------===//
//
// The random programs of reuse/, through deallocate without buffer-reuse: as
// they are, with blocks in place of loops and branches, and with public
// functions that return new memory. Each gives the values of the program that
// never frees, without a leak, a double free or a use after free; with blocks
// the peaks are, in the sum over the programs, those of loops and branches.
//
// 40 programs, 1,500 with ONNXFOLD_LONG=1; ONNXFOLD_SEED=N starts with that
// seed, and a failure prints the seed of its program.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/ProgramGenerator.h"
#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace onnxfold;

namespace {

unsigned fromEnvironment(const char *name, unsigned otherwise) {
  const char *value = std::getenv(name);
  return value ? std::atoi(value) : otherwise;
}

Outcome check(const std::string &program, const char *pipeline,
              const Outcome &plain) {
  Outcome freed = runProgram(program, pipeline, ourLowering, 0, smallestBuffer);
  EXPECT_EQ(freed.error, "") << program;
  EXPECT_TRUE(freed.counts.clean()) << pipeline << freed << program;
  EXPECT_EQ(freed.values, plain.values) << pipeline << freed << program;
  return freed;
}

TEST(RandomVariants, AreFreedAsTheyShould) {
  unsigned first = fromEnvironment("ONNXFOLD_SEED", 20261123);
  unsigned count = std::getenv("ONNXFOLD_LONG") ? 1500 : 40;
  int64_t structuredPeak = 0, blocksPeak = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("ONNXFOLD_SEED=" + std::to_string(seed));
    std::string program =
        generateProgram({.seed = seed, .everythingRuns = seed % 2 == 0});
    Outcome plain = runProgram(program, "");
    ASSERT_EQ(plain.error, "") << program;
    Outcome structured = check(program, "deallocate", plain);
    Outcome simplified = check(
        program, "deallocate,func.func(deallocation-simplification)", plain);
    Outcome blocks =
        check(program, "lower-affine,convert-scf-to-cf,deallocate", plain);
    check(program, "deallocate{public-results=clone}", plain);
    EXPECT_EQ(simplified.counts.peakBytes, structured.counts.peakBytes);
    structuredPeak += structured.counts.peakBytes;
    blocksPeak += blocks.counts.peakBytes;
    if (HasFailure())
      return;
  }
  // Single programs differ both ways: a branch frees behind itself what none of
  // its results needs, and arguments of blocks are told apart less well.
  EXPECT_LE(blocksPeak, 1.05 * structuredPeak);
}

} // namespace
