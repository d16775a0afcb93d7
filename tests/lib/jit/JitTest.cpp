//===- JitTest.cpp - The harness sees the mistakes it is there for --------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/tests/lib/jit/Jit.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const char *declarations = R"(
  llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
  llvm.func @_mlir_memref_to_llvm_aligned_alloc(i64, i64) -> !llvm.ptr
  llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @free(!llvm.ptr)
  llvm.func @observe_i64(i64)
  llvm.func @observe_f32(f32)
  llvm.func @opaque_i64(i64) -> i64
)";

/// Runs @main with `body`; `result` is its type.
llvm::Expected<RunResult> run(const std::string &body,
                              const std::string &result = "",
                              const std::string &arguments = "") {
  mlir::DialectRegistry registry;
  registerJitDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      declarations +
          ("llvm.func @main(" + arguments + ")" +
           (result.empty() ? "" : " -> " + result) + " {\n" + body + "\n}"),
      &context);
  if (!module)
    return llvm::createStringError("does not parse");
  auto jit = Jit::compile(*module);
  if (!jit)
    return jit.takeError();
  return jit->run("main");
}

const char *twoBlocks = R"(
  %size = llvm.mlir.constant(100 : i64) : i64
  %small = llvm.mlir.constant(8 : i64) : i64
  %a = llvm.call @_mlir_memref_to_llvm_alloc(%size) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%small) : (i64) -> !llvm.ptr
  %seven = llvm.mlir.constant(7 : i64) : i64
)";
const std::string freeA =
    "llvm.call @_mlir_memref_to_llvm_free(%a) : (!llvm.ptr) -> ()\n";
const std::string freeB = "llvm.call @free(%b) : (!llvm.ptr) -> ()\n";
const std::string done = "llvm.return\n";

AllocationCounts countsOf(const std::string &body) {
  auto result = run(twoBlocks + body + done);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return result->counts;
}

TEST(Jit, CountsAndPeaks) {
  AllocationCounts counts = countsOf(freeA + freeB);
  EXPECT_TRUE(counts.clean());
  EXPECT_EQ(counts.allocations, 2);
  EXPECT_EQ(counts.peakBuffers, 2);
  EXPECT_EQ(counts.peakBytes, 108);
  EXPECT_EQ(counts.bySize, (std::map<size_t, int64_t>{{8, 1}, {100, 1}}));
  EXPECT_EQ(summarize(counts),
            "allocations=2 peak=2 peak-bytes=108 leaks=0 double-frees=0 "
            "unknown-frees=0 use-after-free=0 overruns=0");
}

TEST(Jit, SeesLeaks) {
  AllocationCounts counts = countsOf(freeB);
  EXPECT_FALSE(counts.clean());
  EXPECT_EQ(counts.leaks, 1);
  EXPECT_EQ(counts.liveBytes, 100);
}

TEST(Jit, SmallBlocksNeedNotCount) {
  resetCountingAllocator(16);
  void *small = countingAlloc(15), *large = countingAlloc(16);
  EXPECT_EQ(countAllocations().allocations, 1);
  EXPECT_EQ(countAllocations().leaks, 2);
  countingFree(large);
  EXPECT_EQ(countAllocations().liveBytes, 0);
  EXPECT_FALSE(countAllocations().clean());
  countingFree(small);
  countingFree(small);
  AllocationCounts counts = countAllocations();
  EXPECT_EQ(counts.peakBytes, 16);
  EXPECT_EQ(counts.leaks, 0);
  EXPECT_EQ(counts.doubleFrees, 1);
}

TEST(Jit, SeesDoubleFrees) {
  AllocationCounts counts = countsOf(freeA + freeB + freeA);
  EXPECT_FALSE(counts.clean());
  EXPECT_EQ(counts.doubleFrees, 1);
}

TEST(Jit, SeesFreesOfWhatIsNoBlock) {
  AllocationCounts counts = countsOf(
      freeA + freeB +
      "%inside = llvm.getelementptr %a[8] : (!llvm.ptr) -> !llvm.ptr, i8\n"
      "llvm.call @free(%inside) : (!llvm.ptr) -> ()\n");
  EXPECT_FALSE(counts.clean());
  EXPECT_EQ(counts.unknownFrees, 1);
}

TEST(Jit, FreeOfNullIsNothing) {
  AllocationCounts counts =
      countsOf(freeA + freeB +
               "%null = llvm.mlir.zero : !llvm.ptr\n"
               "llvm.call @free(%null) : (!llvm.ptr) -> ()\n");
  EXPECT_TRUE(counts.clean());
  EXPECT_EQ(counts.frees, 2);
}

TEST(Jit, SeesWritesAfterFree) {
  AllocationCounts counts =
      countsOf(freeA + freeB + "llvm.store %seven, %a : i64, !llvm.ptr\n");
  EXPECT_FALSE(counts.clean());
  EXPECT_EQ(counts.useAfterFree, 1);
}

TEST(Jit, SeesWritesBeyondTheEnd) {
  AllocationCounts counts = countsOf(
      "%end = llvm.getelementptr %b[8] : (!llvm.ptr) -> !llvm.ptr, i8\n"
      "llvm.store %seven, %end : i64, !llvm.ptr\n" +
      freeA + freeB);
  EXPECT_FALSE(counts.clean());
  EXPECT_EQ(counts.overruns, 1);
}

TEST(Jit, ReadsAfterFreeChangeWhatIsObserved) {
  std::string write = "llvm.store %seven, %b : i64, !llvm.ptr\n";
  std::string read = "%read = llvm.load %b : !llvm.ptr -> i64\n"
                     "llvm.call @observe_i64(%read) : (i64) -> ()\n";
  auto before = run(twoBlocks + write + read + freeA + freeB + done);
  ASSERT_TRUE(bool(before));
  EXPECT_THAT(before->values, ElementsAre("7"));
  auto after = run(twoBlocks + write + freeA + freeB + read + done);
  ASSERT_TRUE(bool(after));
  EXPECT_NE(after->values, before->values);
}

TEST(Jit, AlignedBlocks) {
  auto result = run(R"(
    %alignment = llvm.mlir.constant(4096 : i64) : i64
    %size = llvm.mlir.constant(8192 : i64) : i64
    %p = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%alignment, %size)
        : (i64, i64) -> !llvm.ptr
    %address = llvm.ptrtoint %p : !llvm.ptr to i64
    %rest = llvm.urem %address, %alignment : i64
    llvm.call @_mlir_memref_to_llvm_free(%p) : (!llvm.ptr) -> ()
    llvm.return %rest : i64)",
                    "i64");
  ASSERT_TRUE(bool(result));
  EXPECT_TRUE(result->counts.clean());
  EXPECT_THAT(result->values, ElementsAre("0"));
}

TEST(Jit, ResultsStandAfterWhatWasObserved) {
  auto result = run(R"(
    %half = llvm.mlir.constant(0.5 : f32) : f32
    %minus = llvm.mlir.constant(-3 : i8) : i8
    %big = llvm.mlir.constant(4294967296 : i64) : i64
    %same = llvm.call @opaque_i64(%big) : (i64) -> i64
    llvm.call @observe_i64(%same) : (i64) -> ()
    %u = llvm.mlir.undef : !llvm.struct<(i8, f32, i64)>
    %v = llvm.insertvalue %minus, %u[0] : !llvm.struct<(i8, f32, i64)>
    %w = llvm.insertvalue %half, %v[1] : !llvm.struct<(i8, f32, i64)>
    %x = llvm.insertvalue %same, %w[2] : !llvm.struct<(i8, f32, i64)>
    llvm.return %x : !llvm.struct<(i8, f32, i64)>)",
                    "!llvm.struct<(i8, f32, i64)>");
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_THAT(result->values,
              ElementsAre("4294967296", "-3", "0x1p-1", "4294967296"));
}

std::string errorOf(llvm::Expected<RunResult> result) {
  return result ? "" : llvm::toString(result.takeError());
}

TEST(Jit, WhatCannotRunIsAnError) {
  EXPECT_EQ(errorOf(run("llvm.return", "", "%a: i64")),
            "function 'main' has 1 parameters, expected none");
  EXPECT_EQ(
      errorOf(run("%p = llvm.mlir.zero : !llvm.ptr\n"
                  "llvm.return %p : !llvm.ptr",
                  "!llvm.ptr")),
      "function 'main' returns something that is not an integer or float");
  mlir::DialectRegistry registry;
  registerJitDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "llvm.func @f() { %0 = builtin.unrealized_conversion_cast to i64\n"
      "llvm.return }",
      &context);
  auto jit = Jit::compile(*module);
  ASSERT_FALSE(bool(jit));
  EXPECT_THAT(llvm::toString(jit.takeError()),
              HasSubstr("'builtin.unrealized_conversion_cast' is not of the "
                        "LLVM dialect"));
}

} // namespace
