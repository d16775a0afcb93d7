//===- BufferReuseTest.cpp - buffer-reuse on programs that run ------------===//
//
// Programs that free their buffers, before and after the pass: the same values,
// no mistake, and as many allocations as are said here. The names of the cases
// are those of the published tests of buffer reuse where there is one.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string programOf(const std::string &body) {
  return std::string(helperFunctions) + declarations + "func.func @main() {" +
         helperConstants + body + "  return\n}\n";
}

const char *const pass = "buffer-reuse{stack-bytes=0}";

/// Runs `program` before and after the pass; what it does afterwards.
Outcome reuse(const std::string &program, const std::string &pipeline = pass) {
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

struct Case {
  const char *name;
  int64_t allocations, peak;
  const char *body;
};

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

class BufferReuse : public testing::TestWithParam<Case> {};

TEST_P(BufferReuse, Counts) {
  Outcome after = reuse(programOf(GetParam().body));
  EXPECT_EQ(after.counts.allocations, GetParam().allocations) << after;
  EXPECT_EQ(after.counts.peakBuffers, GetParam().peak) << after;
}

const Case cases[] = {
    {"simple_reuse", 1, 1, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
  %b = memref.alloc() : !T
  call @fill(%b, %two) : (!T, i32) -> ()
  call @show(%b) : (!T) -> ()
  memref.dealloc %b : !T
)"},
    {"three_disjoint_that_are_freed_late", 1, 1, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  %c = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
  %d = memref.alloc() : !T
  call @fill(%d, %two) : (!T, i32) -> ()
  call @show(%d) : (!T) -> ()
  memref.dealloc %b : !T
  memref.dealloc %c : !T
  memref.dealloc %d : !T
)"},
    {"chain_of_five", 2, 2, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  %b = memref.alloc() : !T
  call @add(%a, %a, %b) : (!T, !T, !T) -> ()
  memref.dealloc %a : !T
  %c = memref.alloc() : !T
  call @add(%b, %b, %c) : (!T, !T, !T) -> ()
  memref.dealloc %b : !T
  %d = memref.alloc() : !T
  call @add(%c, %c, %d) : (!T, !T, !T) -> ()
  memref.dealloc %c : !T
  %e = memref.alloc() : !T
  call @add(%d, %d, %e) : (!T, !T, !T) -> ()
  memref.dealloc %d : !T
  call @show(%e) : (!T) -> ()
  memref.dealloc %e : !T
)"},
    {"hoist_from_for", 1, 1, R"(
  scf.for %i = %c0 to %c10 step %c1 {
    %k = arith.index_cast %i : index to i32
    %a = memref.alloc() : !T
    func.call @fill(%a, %k) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
)"},
    {"hoist_from_nested_for", 1, 1, R"(
  scf.for %i = %c0 to %c10 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      %k = arith.index_cast %i : index to i32
      %a = memref.alloc() : !T
      func.call @fill(%a, %k) : (!T, i32) -> ()
      func.call @show(%a) : (!T) -> ()
      memref.dealloc %a : !T
    }
  }
)"},
    {"hoist_from_while_both_regions", 1, 1, R"(
  %r = scf.while (%i = %c0) : (index) -> index {
    %k = arith.index_cast %i : index to i32
    %a = memref.alloc() : !T
    func.call @fill(%a, %k) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %b = memref.alloc() : !T
    func.call @fill(%b, %seven) : (!T, i32) -> ()
    func.call @show(%b) : (!T) -> ()
    memref.dealloc %b : !T
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
)"},
    {"hoist_from_if_in_a_loop", 1, 1, R"(
  scf.for %i = %c0 to %c10 step %c1 {
    %k = arith.index_cast %i : index to i32
    %rest = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %rest, %c1 : index
    scf.if %odd {
      %a = memref.alloc() : !T
      func.call @fill(%a, %k) : (!T, i32) -> ()
      func.call @show(%a) : (!T) -> ()
      memref.dealloc %a : !T
    } else {
      %a = memref.alloc() : !T
      func.call @fill(%a, %seven) : (!T, i32) -> ()
      func.call @show(%a) : (!T) -> ()
      memref.dealloc %a : !T
    }
    scf.if %odd {
      %a = memref.alloc() : !T
      func.call @fill(%a, %one) : (!T, i32) -> ()
      func.call @show(%a) : (!T) -> ()
      memref.dealloc %a : !T
    }
    %b = memref.alloc() : !T
    func.call @fill(%b, %two) : (!T, i32) -> ()
    func.call @show(%b) : (!T) -> ()
    memref.dealloc %b : !T
  }
)"},
    // Nothing would be gained, and the branch may not be taken.
    {"if_without_a_loop_stays", 1, 1, R"(
  scf.if %yes {
    func.call @observe_i32(%one) : (i32) -> ()
  } else {
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
  scf.if %yes {
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
)"},
    {"if_takes_a_free_buffer", 1, 1, R"(
  %b = memref.alloc() : !T
  call @fill(%b, %two) : (!T, i32) -> ()
  call @show(%b) : (!T) -> ()
  memref.dealloc %b : !T
  scf.if %yes {
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
)"},
    {"double_buffer_for", 2, 2, R"(
  %init = memref.alloc() : !T
  call @fill(%init, %one) : (!T, i32) -> ()
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %init) -> (!T) {
    %n = memref.alloc() : !T
    func.call @add(%a, %a, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    scf.yield %n : !T
  }
  call @show(%r) : (!T) -> ()
  memref.dealloc %r : !T
)"},
    {"double_buffer_while_both", 2, 2, R"(
  %init = memref.alloc() : !T
  call @fill(%init, %one) : (!T, i32) -> ()
  %r:2 = scf.while (%i = %c0, %a = %init) : (index, !T) -> (index, !T) {
    %n = memref.alloc() : !T
    func.call @add(%a, %a, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %n : index, !T
  } do {
  ^bb0(%i: index, %a: !T):
    %n = memref.alloc() : !T
    func.call @fill(%n, %seven) : (!T, i32) -> ()
    func.call @add(%a, %n, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %n : index, !T
  }
  call @show(%r#1) : (!T) -> ()
  memref.dealloc %r#1 : !T
)"},
    {"double_buffer_while_before", 2, 2, R"(
  %init = memref.alloc() : !T
  call @fill(%init, %one) : (!T, i32) -> ()
  %r:2 = scf.while (%i = %c0, %a = %init) : (index, !T) -> (index, !T) {
    %n = memref.alloc() : !T
    func.call @add(%a, %a, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %n : index, !T
  } do {
  ^bb0(%i: index, %a: !T):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %a : index, !T
  }
  call @show(%r#1) : (!T) -> ()
  memref.dealloc %r#1 : !T
)"},
    {"hoist_always_reallocated", 1, 1, R"(
  %init = memref.alloc() : !T
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %init) -> (!T) {
    func.call @fill(%a, %seven) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
    %n = memref.alloc() : !T
    scf.yield %n : !T
  }
  memref.dealloc %r : !T
)"},
    {"simplify_loop_dealloc", 2, 2, R"(
  %x = memref.alloc() : !T
  %y = memref.alloc() : !T
  call @fill(%x, %one) : (!T, i32) -> ()
  call @fill(%y, %two) : (!T, i32) -> ()
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %y)
      : (index, !T, !T) -> (index, !T, !T) {
    func.call @show(%a) : (!T) -> ()
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %b, %a : index, !T, !T
  } do {
  ^bb0(%i: index, %a: !T, %b: !T):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %a, %b : index, !T, !T
  }
  memref.dealloc %r#1 : !T
  memref.dealloc %r#2 : !T
  %t = memref.alloc() : !T
  call @fill(%t, %seven) : (!T, i32) -> ()
  call @show(%t) : (!T) -> ()
  memref.dealloc %t : !T
)"},
    {"copy_to_alloc", 1, 1, R"(
  %b = memref.alloc() : !T
  %a = memref.alloc() : !T
  call @fill(%b, %one) : (!T, i32) -> ()
  memref.copy %b, %a : !T to !T
  memref.dealloc %b : !T
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
)"},
    {"copy_of_a_source_that_is_read_later_stays", 2, 2, R"(
  %b = memref.alloc() : !T
  %a = memref.alloc() : !T
  call @fill(%b, %one) : (!T, i32) -> ()
  memref.copy %b, %a : !T to !T
  call @add(%a, %b, %a) : (!T, !T, !T) -> ()
  call @show(%a) : (!T) -> ()
  call @show(%b) : (!T) -> ()
  memref.dealloc %b : !T
  memref.dealloc %a : !T
)"},
    {"copy_to_a_target_from_outside_the_loop", 1, 1, R"(
  %a = memref.alloc() : !T
  scf.for %i = %c0 to %c10 step %c1 {
    %k = arith.index_cast %i : index to i32
    %b = memref.alloc() : !T
    func.call @fill(%b, %k) : (!T, i32) -> ()
    memref.copy %b, %a : !T to !T
    memref.dealloc %b : !T
    func.call @show(%a) : (!T) -> ()
  }
  memref.dealloc %a : !T
)"},
    {"copy_to_a_target_that_is_read_meanwhile_stays", 2, 2, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %seven) : (!T, i32) -> ()
  scf.for %i = %c0 to %c10 step %c1 {
    %b = memref.alloc() : !T
    func.call @add(%a, %a, %b) : (!T, !T, !T) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.copy %b, %a : !T to !T
    memref.dealloc %b : !T
  }
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
)"},
    {"empty_region", 1, 1, R"(
  scf.if %yes {
  }
  %a = memref.alloc() : !T
  call @fill(%a, %seven) : (!T, i32) -> ()
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
)"},
    {"reuse_after_each_hoist", 1, 1, R"(
  scf.for %i = %c0 to %c10 step %c1 {
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
  scf.for %i = %c0 to %c10 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %a = memref.alloc() : !T
      func.call @fill(%a, %two) : (!T, i32) -> ()
      func.call @show(%a) : (!T) -> ()
      memref.dealloc %a : !T
    }
    %b = memref.alloc() : !T
    func.call @fill(%b, %seven) : (!T, i32) -> ()
    func.call @show(%b) : (!T) -> ()
    memref.dealloc %b : !T
  }
)"},
    {"dynamic_sizes_are_hoisted_where_they_are_known", 1, 1, R"(
  %n = call @opaque_index(%c10) : (index) -> index
  scf.for %i = %c0 to %c10 step %c1 {
    %a = memref.alloc(%n) : memref<?xi32>
    linalg.fill ins(%seven : i32) outs(%a : memref<?xi32>)
    %v = memref.load %a[%c2] : memref<?xi32>
    func.call @observe_i32(%v) : (i32) -> ()
    memref.dealloc %a : memref<?xi32>
    %b = memref.alloc(%n) : memref<?xi32>
    linalg.fill ins(%one : i32) outs(%b : memref<?xi32>)
    %w = memref.load %b[%c2] : memref<?xi32>
    func.call @observe_i32(%w) : (i32) -> ()
    memref.dealloc %b : memref<?xi32>
  }
)"},
    {"dynamic_sizes_of_the_iteration_stay", 9, 1, R"(
  scf.for %i = %c1 to %c10 step %c1 {
    %a = memref.alloc(%i) : memref<?xi32>
    linalg.fill ins(%seven : i32) outs(%a : memref<?xi32>)
    %v = memref.load %a[%c0] : memref<?xi32>
    func.call @observe_i32(%v) : (i32) -> ()
    memref.dealloc %a : memref<?xi32>
  }
)"},
    {"parallel_loops_keep_their_buffers", 10, 1, R"(
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    %a = memref.alloc() : !T
    func.call @fill(%a, %seven) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
)"},
    // The select may be %a: it lives as long as the select is used.
    {"select_keeps_both_alive", 3, 3, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %s = arith.select %yes, %a, %b : !T
  %c = memref.alloc() : !T
  call @fill(%c, %seven) : (!T, i32) -> ()
  call @add(%c, %s, %c) : (!T, !T, !T) -> ()
  call @show(%c) : (!T) -> ()
  call @show(%s) : (!T) -> ()
  memref.dealloc %a : !T
  memref.dealloc %b : !T
  memref.dealloc %c : !T
)"},
    {"address_as_a_number_keeps_alive", 2, 2, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  %address = memref.extract_aligned_pointer_as_index %a : !T -> index
  %b = memref.alloc() : !T
  call @fill(%b, %two) : (!T, i32) -> ()
  call @show(%b) : (!T) -> ()
  memref.dealloc %b : !T
  %i = arith.index_cast %address : index to i64
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32
  call @observe_i32(%v) : (i32) -> ()
  memref.dealloc %a : !T
)"},
    {"a_larger_buffer_of_another_type", 1, 1, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
  %f = arith.constant 2.5 : f64
  %b = memref.alloc() : memref<3x4xf64>
  linalg.fill ins(%f : f64) outs(%b : memref<3x4xf64>)
  %v = memref.load %b[%c2, %c1] : memref<3x4xf64>
  call @observe_f64(%v) : (f64) -> ()
  memref.dealloc %b : memref<3x4xf64>
)"},
    {"a_smaller_buffer_grows", 1, 1, R"(
  scf.for %i = %c0 to %c10 step %c1 {
    scf.if %yes {
      %f = arith.constant 2.5 : f64
      %b = memref.alloc() : memref<3x4xf64>
      linalg.fill ins(%f : f64) outs(%b : memref<3x4xf64>)
      %v = memref.load %b[%c2, %c1] : memref<3x4xf64>
      func.call @observe_f64(%v) : (f64) -> ()
      memref.dealloc %b : memref<3x4xf64>
    }
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
)"},
};

INSTANTIATE_TEST_SUITE_P(Published, BufferReuse, testing::ValuesIn(cases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

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

TEST(BufferReuseIR, StackHoldsWhatTheBudgetAllows) {
  std::string program = std::string(helperFunctions) + declarations +
                        "func.func @main() {" + helperConstants + R"(
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
  return
})";
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
  Outcome after = reuse(helperFunctions + std::string(declarations) + R"(
func.func @main() {
  %c3 = arith.constant 3 : index
  func.call @down(%c3) : (index) -> ()
  return
}
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
})",
                        "buffer-reuse{stack-bytes=100000}");
  EXPECT_EQ(after.counts.allocations, 4);
}

std::string outParameter(const std::string &attribute,
                         const std::string &body) {
  return helperFunctions + std::string(declarations) +
         "func.func private @f(%out: !T" + attribute + ") {" + helperConstants +
         body + "  return\n}\n" + R"(
func.func @main() {
  %seven = arith.constant 7 : i32
  %out = memref.alloc() : !T
  call @fill(%out, %seven) : (!T, i32) -> ()
  call @f(%out) : (!T) -> ()
  call @show(%out) : (!T) -> ()
  memref.dealloc %out : !T
  return
})";
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
