//===- TensorProgramsTest.cpp - The whole pipeline, from tensors ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// split-alloc-tensors, one-shot-bufferize, deallocate, simplification, reuse,
// simplification, to-scf, to LLVM on linalg programs; never more than upstream
// needs, also where that hoists and frees early.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/TensorPrograms.h"
#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include "gtest/gtest.h"

using namespace onnxfold;

namespace {

TEST(TensorPrograms, NeedNoMoreThanUpstream) {
  for (const TensorProgram &program : tensorPrograms()) {
    SCOPED_TRACE(program.name);
    // Buffers have 16 KB; smaller ones are scalars and upstream's checks.
    auto run = [&](const char *pipeline, const char *lowering) {
      return runProgram(program.text, pipeline, lowering, 0, 1024);
    };
    Outcome ours = run(tensorsOurs, ourLowering);
    ASSERT_EQ(ours.error, "") << ours;
    EXPECT_TRUE(ours.counts.clean()) << ours;
    for (const char *pipeline : {tensorsUpstream, tensorsUpstreamHoisting}) {
      Outcome theirs = run(pipeline, upstreamLowering);
      ASSERT_EQ(theirs.error, "") << theirs;
      EXPECT_FALSE(theirs.values.empty());
      EXPECT_EQ(ours.values, theirs.values);
      EXPECT_LE(ours.counts.allocations, theirs.counts.allocations) << ours;
      EXPECT_LE(ours.counts.peakBytes, theirs.counts.peakBytes) << ours;
    }
  }
}

} // namespace
