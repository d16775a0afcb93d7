//===- BufferReuseIRTest.cpp - What buffer-reuse makes of programs --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Alignment, memory spaces, the stack, copies to arguments, and the time it
// takes: what cannot be seen from the number of allocations alone.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/ReusePrograms.h"
#include "gmock/gmock.h"

using namespace onnxfold;
using testing::HasSubstr;
using testing::Not;

namespace {

/// MLIR's generic functions allocate in space 0 only: this one does not run.
TEST(BufferReuseIR, AnotherMemorySpaceIsAnotherMemory) {
  std::string program = programOf(R"(
  %a = memref.alloc() : !T
  memref.store %one, %a[%c0] : !T
  memref.dealloc %a : !T
  %b = memref.alloc() : memref<100xi32, 1>
  memref.store %one, %b[%c0] : memref<100xi32, 1>
  memref.dealloc %b : memref<100xi32, 1>
  %c = memref.alloc() : memref<100xf32, 1>
  %f = arith.constant 0.0 : f32
  memref.store %f, %c[%c0] : memref<100xf32, 1>
  memref.dealloc %c : memref<100xf32, 1>
)");
  Outcome after = runProgram(program, pass, "");
  EXPECT_EQ(countOf(after.ir, "memref.alloc()"), 2u) << after.ir;
  EXPECT_THAT(after.ir, HasSubstr("memref.alloc() : memref<400xi8, 1"));
}

TEST(BufferReuseIR, AlignmentIsTheLargest) {
  Outcome after = reuse(programOf(R"(
  %a = memref.alloc() {alignment = 16 : i64} : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
  %b = memref.alloc() {alignment = 256 : i64} : !T
  call @fill(%b, %two) : (!T, i32) -> ()
  call @show(%b) : (!T) -> ()
  memref.dealloc %b : !T
)"));
  EXPECT_EQ(after.counts.allocations, 1);
  EXPECT_THAT(after.ir, HasSubstr("alignment = 256"));
}

TEST(BufferReuseIR, AlignmentOfCopiesIsKept) {
  Outcome after = reuse(programOf(R"(
  %b = memref.alloc() : !T
  %a = memref.alloc() {alignment = 64 : i64} : !T
  call @fill(%b, %one) : (!T, i32) -> ()
  memref.copy %b, %a : !T to !T
  memref.dealloc %b : !T
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
)"));
  EXPECT_EQ(after.counts.allocations, 1);
  EXPECT_THAT(after.ir, HasSubstr("alignment = 64"));
  EXPECT_THAT(after.ir, Not(HasSubstr("memref.copy")));
}

/// A buffer that came from somewhere without alignment is none for an
/// allocation that asks for one.
TEST(BufferReuseIR, AlignmentThroughLoopsIsRespected) {
  std::string program = programOf(R"(
  %init = memref.alloc() ALIGNED : !T
  call @fill(%init, %one) : (!T, i32) -> ()
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %init) -> (!T) {
    %n = memref.alloc() {alignment = 64 : i64} : !T
    func.call @add(%a, %a, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    scf.yield %n : !T
  }
  call @show(%r) : (!T) -> ()
  memref.dealloc %r : !T
)");
  auto with = [&](const std::string &attribute) {
    std::string text = program;
    text.replace(text.find("ALIGNED"), 7, attribute);
    return reuse(text).counts.allocations;
  };
  EXPECT_EQ(with("{alignment = 64 : i64}"), 2);
  EXPECT_EQ(with(""), 11);
}

/// The two regions of a while loop exchange buffers with each other: what one
/// of them left without alignment was taken by an allocation of the other one
/// that asked for it.
TEST(BufferReuseIR, AlignmentInBothRegionsOfAWhileLoop) {
  Outcome after = reuse(programOf(R"(
  %x = memref.alloc() {alignment = 64 : i64} : !T
  %y = memref.alloc() : !T
  call @fill(%x, %one) : (!T, i32) -> ()
  call @fill(%y, %one) : (!T, i32) -> ()
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %y)
      : (index, !T, !T) -> (index, !T, !T) {
    %n = memref.alloc() {alignment = 64 : i64} : !T
    func.call @add(%a, %b, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %n, %b : index, !T, !T
  } do {
  ^bb0(%i: index, %a: !T, %b: !T):
    %m = memref.alloc() : !T
    func.call @add(%a, %b, %m) : (!T, !T, !T) -> ()
    memref.dealloc %b : !T
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %a, %m : index, !T, !T
  }
  call @show(%r#1) : (!T) -> ()
  call @show(%r#2) : (!T) -> ()
  memref.dealloc %r#1 : !T
  memref.dealloc %r#2 : !T
)"));
  // %x and %y, 11 times %n and 10 times %m: one that is carried in place of %m
  // alone would be alive besides %n.
  EXPECT_EQ(after.counts.allocations, 23) << after;
  EXPECT_EQ(after.counts.peakBuffers, 3) << after;
}

/// Where alignments come from is followed through 256 values; what is known of
/// those is kept, or the buffers behind a chain of as many branches would not
/// be reused.
TEST(BufferReuseIR, AlignmentThroughChainsOfBranchesIsKnown) {
  std::string body = "%b0 = memref.alloc() {alignment = 64 : i64} : !T\n"
                     "call @fill(%b0, %one) : (!T, i32) -> ()\n";
  std::string last = "%b0";
  for (unsigned i = 1; i <= 400; ++i) {
    std::string next = "%b" + std::to_string(i);
    body += next + " = scf.if %yes -> (!T) {\n  scf.yield " + last +
            " : !T\n} else {\n  memref.dealloc " + last + R"( : !T
  %t = memref.alloc() {alignment = 64 : i64} : !T
  scf.yield %t : !T
}
)";
    last = next;
  }
  body += "call @show(" + last + ") : (!T) -> ()\nmemref.dealloc " + last +
          " : !T\n";
  EXPECT_EQ(countOf(reuse(programOf(body)).ir, "memref.alloc()"), 1u);
}

TEST(BufferReuseIR, StackHoldsWhatTheBudgetAllows) {
  std::string program = programOf(R"(
  %f = arith.constant 2.5 : f64
  %a = memref.alloc() : memref<4xf64>
  %b = memref.alloc() : memref<4xf64>
  linalg.fill ins(%f : f64) outs(%a : memref<4xf64>)
  linalg.fill ins(%f : f64) outs(%b : memref<4xf64>)
  scf.for %i = %c0 to %c10 step %c1 {
    %d = memref.alloc(%c2) : memref<?xf64>
    linalg.fill ins(%f : f64) outs(%d : memref<?xf64>)
    %v = memref.load %a[%c0] : memref<4xf64>
    %w = memref.load %b[%c0] : memref<4xf64>
    %x = memref.load %d[%c0] : memref<?xf64>
    func.call @observe_f64(%v) : (f64) -> ()
    func.call @observe_f64(%w) : (f64) -> ()
    func.call @observe_f64(%x) : (f64) -> ()
    memref.dealloc %d : memref<?xf64>
  }
  memref.dealloc %a : memref<4xf64>
  memref.dealloc %b : memref<4xf64>
)");
  auto with = [&](const std::string &bytes) {
    return reuse(program, "buffer-reuse{stack-bytes=" + bytes + "}");
  };
  EXPECT_EQ(with("0").counts.allocations, 3);
  EXPECT_EQ(with("31").counts.allocations, 3);
  EXPECT_EQ(with("32").counts.allocations, 2);
  EXPECT_EQ(with("64").counts.allocations, 1);
  EXPECT_EQ(with("100000").counts.allocations, 1);
}

/// A buffer that cannot leave the loop (its size is the iteration's, or the
/// loop runs in parallel) must not become an alloca in it: upstream's overflows
/// the stack after a million iterations.
TEST(BufferReuseIR, NoStackInLoops) {
  Outcome after = reuse(programOf(R"(
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    %a = memref.alloc() : memref<4xi32>
    memref.store %one, %a[%c0] : memref<4xi32>
    memref.dealloc %a : memref<4xi32>
  }
  func.call @observe_i32(%one) : (i32) -> ()
)"),
                        "buffer-reuse{stack-bytes=100000}");
  EXPECT_THAT(after.ir, Not(HasSubstr("memref.alloca")));
}

TEST(BufferReuseIR, FunctionsThatMayBeReenteredUseNoStack) {
  Outcome after = reuse(programOf(R"(
  %c3 = arith.constant 3 : index
  func.call @down(%c3) : (index) -> ()
)",
                                  R"(
func.func @down(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xindex>
  memref.store %n, %a[%c0] : memref<4xindex>
  %more = arith.cmpi ne, %n, %c0 : index
  scf.if %more {
    %less = arith.subi %n, %c1 : index
    func.call @down(%less) : (index) -> ()
  }
  %v = memref.load %a[%c0] : memref<4xindex>
  func.call @observe_index(%v) : (index) -> ()
  memref.dealloc %a : memref<4xindex>
  return
})"),
                        "buffer-reuse{stack-bytes=100000}");
  EXPECT_EQ(after.counts.allocations, 4);
}

std::string outParameter(const std::string &attribute,
                         const std::string &body) {
  return programOf(R"(
  %out = memref.alloc() : !T
  call @fill(%out, %seven) : (!T, i32) -> ()
  call @f(%out) : (!T) -> ()
  call @show(%out) : (!T) -> ()
  memref.dealloc %out : !T
)",
                   "func.func private @f(%out: !T" + attribute + ") {" +
                       helperConstants + body + "  return\n}\n");
}

const char *const isRestrict = " {deallocation.restrict = true}";

TEST(BufferReuseIR, CopyToOutParam) {
  const char *body = R"(
  %b = memref.alloc() : !T
  call @fill(%b, %one) : (!T, i32) -> ()
  memref.copy %b, %out : !T to !T
  memref.dealloc %b : !T
)";
  EXPECT_EQ(reuse(outParameter(isRestrict, body)).counts.allocations, 1);
  EXPECT_EQ(reuse(outParameter("", body)).counts.allocations, 2);
  EXPECT_EQ(reuse(outParameter(" {deallocation.restrict = false}", body))
                .counts.allocations,
            2);
}

TEST(BufferReuseIR, CopyToOutParamThatIsReadFirst) {
  Outcome after = reuse(outParameter(isRestrict, R"(
  %b = memref.alloc() : !T
  call @add(%out, %out, %b) : (!T, !T, !T) -> ()
  call @show(%out) : (!T) -> ()
  memref.copy %b, %out : !T to !T
  memref.dealloc %b : !T
)"));
  EXPECT_EQ(after.counts.allocations, 2);
  EXPECT_THAT(after.ir, HasSubstr("memref.copy"));
}

TEST(BufferReuseIR, CopyToOutParamAndChangeTheSource) {
  Outcome after = reuse(outParameter(isRestrict, R"(
  %b = memref.alloc() : !T
  call @fill(%b, %one) : (!T, i32) -> ()
  memref.copy %b, %out : !T to !T
  call @fill(%b, %two) : (!T, i32) -> ()
  call @show(%b) : (!T) -> ()
  memref.dealloc %b : !T
)"));
  EXPECT_EQ(after.counts.allocations, 2);
}

TEST(BufferReuseIR, CopyFromParamToParamStays) {
  Outcome after = reuse(outParameter(isRestrict, R"(
  %b = memref.alloc() : !T
  call @fill(%b, %one) : (!T, i32) -> ()
  memref.copy %out, %b : !T to !T
  memref.copy %b, %out : !T to !T
  call @show(%b) : (!T) -> ()
  memref.dealloc %b : !T
)"));
  EXPECT_EQ(countOf(after.ir, "memref.copy"), 2u);
}

/// 10,000 buffers in a row, then in a loop, then nested: no step is quadratic.
TEST(BufferReuseIR, LongFunctionsTakeLinearTime) {
  auto seconds = [](unsigned count) {
    std::string body;
    for (unsigned i = 0; i < count; ++i) {
      std::string a = "%a" + std::to_string(i);
      std::string size = std::to_string(1 + i * 7 % 50);
      std::string type = " : memref<" + size + "xi32>\n";
      body += a + " = memref.alloc()" + type + "memref.store %one, " + a +
              "[%c0]" + type;
      if (i % 3 == 2)
        for (unsigned j = i - 2; j <= i; ++j) {
          std::string type =
              " : memref<" + std::to_string(1 + j * 7 % 50) + "xi32>\n";
          body += "memref.dealloc %a" + std::to_string(j) + type;
        }
    }
    std::string error;
    auto module = parseProgram(programOf(body), error);
    EXPECT_TRUE(module) << error;
    auto start = std::clock();
    EXPECT_TRUE(runPasses(*module, pass, error)) << error;
    return double(std::clock() - start) / CLOCKS_PER_SEC;
  };
  double small = std::min(seconds(3000), seconds(3000));
  double large = std::min(seconds(30000), seconds(30000));
  EXPECT_LT(large, 30 * small) << small;
}

} // namespace
