//===- ReusePrograms.h - Programs before and after buffer-reuse -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   Outcome after = reuse(programOf("%a = memref.alloc() : !T ..."));
//   EXPECT_EQ(after.counts.allocations, 1);
//
// The program frees its buffers itself. Constants and types: Programs.h.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_DEALLOC_REUSE_REUSEPROGRAMS_H
#define ONNXFOLD_TESTS_DEALLOC_REUSE_REUSEPROGRAMS_H

#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include "gtest/gtest.h"

namespace onnxfold {

inline const char *const pass = "buffer-reuse{stack-bytes=0}";

/// Runs `program` before and after the pass; what it does afterwards.
inline Outcome reuse(const std::string &program,
                     const std::string &pipeline = pass) {
  Outcome before = runProgram(program, "", upstreamLowering);
  EXPECT_EQ(before.error, "");
  EXPECT_TRUE(before.counts.clean()) << "the test itself: " << before;
  EXPECT_FALSE(before.values.empty());
  Outcome after = runProgram(program, pipeline, upstreamLowering);
  EXPECT_EQ(after.error, "") << after;
  EXPECT_TRUE(after.counts.clean()) << after;
  EXPECT_EQ(after.values, before.values) << after;
  Outcome twice = runProgram(program, pipeline, upstreamLowering);
  EXPECT_EQ(after.ir, twice.ir);
  return after;
}

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_DEALLOC_REUSE_REUSEPROGRAMS_H
