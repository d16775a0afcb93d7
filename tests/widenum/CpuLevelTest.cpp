//===- CpuLevelTest.cpp - Which vector instructions are used --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/CpuLevel.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

using namespace onnxfold;

namespace {

// ctest runs all tests of widenum and elements a second time at the baseline.
TEST(CpuLevel, TheEnvironmentForcesTheBaseline) {
  const char *text = std::getenv("ONNXFOLD_CPU_LEVEL");
  bool forced = text && std::string(text) == "baseline";
  EXPECT_TRUE(!forced || cpuLevel() == CpuLevel::Baseline);
}

TEST(CpuLevel, IsLoweredAndRestored) {
  CpuLevel all = cpuLevel();
  {
    ForcedCpuLevel low(CpuLevel::Baseline);
    EXPECT_EQ(cpuLevel(), CpuLevel::Baseline);
    // Nested ones lower further and never raise.
    ForcedCpuLevel high(CpuLevel::Avx512);
    EXPECT_EQ(cpuLevel(), CpuLevel::Baseline);
  }
  EXPECT_EQ(cpuLevel(), all);
  ForcedCpuLevel high(CpuLevel::Avx512);
  EXPECT_EQ(cpuLevel(), all) << "raised above the processor's or the user's";
}

TEST(CpuLevel, EachLevelRunsTheFunctionOnce) {
  for (CpuLevel level :
       {CpuLevel::Baseline, CpuLevel::Avx2, CpuLevel::Avx512}) {
    ForcedCpuLevel forced(level);
    int calls = 0;
    atCpuLevel([&] { ++calls; });
    EXPECT_EQ(calls, 1);
  }
}

// A typing error must not silently test something else.
TEST(CpuLevelDeathTest, AnUnknownNameIsReported) {
  // A process of its own, which has not asked yet.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("ONNXFOLD_CPU_LEVEL", "sse9", 1);
        cpuLevel();
        std::exit(0);
      },
      ::testing::ExitedWithCode(0),
      "warning: ONNXFOLD_CPU_LEVEL is 'sse9', expected baseline, avx2 or");
}

} // namespace
