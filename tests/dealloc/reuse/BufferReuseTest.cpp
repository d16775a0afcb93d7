//===- BufferReuseTest.cpp - buffer-reuse on programs that run ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Programs that free their buffers, before and after the pass: the same values,
// no mistake, and as many allocations as are said here. The names of the cases
// are those of the published tests of buffer reuse where there is one.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/ReusePrograms.h"

using namespace onnxfold;

namespace {

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
    {"hoist_from_while", 1, 1, R"(
  %r = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %a = memref.alloc() : !T
    func.call @fill(%a, %seven) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
)"},
    {"hoist_passthrough", 2, 2, R"(
  %x = memref.alloc() : !T
  call @fill(%x, %one) : (!T, i32) -> ()
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%m = %x) -> (!T) {
    %a = memref.alloc() : !T
    func.call @add(%m, %m, %a) : (!T, !T, !T) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
    scf.yield %m : !T
  }
  call @show(%r) : (!T) -> ()
  memref.dealloc %r : !T
)"},
    {"allocs_in_different_scopes_with_no_overlap", 1, 1, R"(
  scf.for %i = %c0 to %c10 step %c1 {
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : !T
    func.call @fill(%a, %two) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
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
    {"double_buffer_while", 2, 2, R"(
  %init = memref.alloc() : !T
  call @fill(%init, %one) : (!T, i32) -> ()
  %r:2 = scf.while (%i = %c0, %a = %init) : (index, !T) -> (index, !T) {
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %a : index, !T
  } do {
  ^bb0(%i: index, %a: !T):
    %n = memref.alloc() : !T
    func.call @add(%a, %a, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %n : index, !T
  }
  call @show(%r#1) : (!T) -> ()
  memref.dealloc %r#1 : !T
)"},
    {"hoist_from_while_that_carries_a_buffer", 2, 2, R"(
  %init = memref.alloc() : !T
  call @fill(%init, %one) : (!T, i32) -> ()
  %r:2 = scf.while (%i = %c0, %a = %init) : (index, !T) -> (index, !T) {
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %a : index, !T
  } do {
  ^bb0(%i: index, %a: !T):
    %t = memref.alloc() : !T
    func.call @add(%a, %a, %t) : (!T, !T, !T) -> ()
    func.call @add(%a, %t, %a) : (!T, !T, !T) -> ()
    memref.dealloc %t : !T
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %a : index, !T
  }
  call @show(%r#1) : (!T) -> ()
  memref.dealloc %r#1 : !T
)"},
    // The second buffer would be a third one while the condition is computed,
    // and the temporary one while the body runs, where it once was: the buffer
    // that the body frees was counted twice before it did.
    {"double_buffer_while_with_a_temporary_before", 22, 2, R"(
  %init = memref.alloc() : !T
  call @fill(%init, %one) : (!T, i32) -> ()
  %r:2 = scf.while (%i = %c0, %a = %init) : (index, !T) -> (index, !T) {
    %t = memref.alloc() : !T
    func.call @add(%a, %a, %t) : (!T, !T, !T) -> ()
    func.call @show(%t) : (!T) -> ()
    memref.dealloc %t : !T
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %a : index, !T
  } do {
  ^bb0(%i: index, %a: !T):
    %n = memref.alloc() : !T
    func.call @add(%a, %a, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %n : index, !T
  }
  call @show(%r#1) : (!T) -> ()
  memref.dealloc %r#1 : !T
)"},
    // What replaces the one that is freed first is still new: the others are
    // three already, in both regions.
    {"while_frees_before_and_allocates_after", 13, 3, R"(
  %x = memref.alloc() : !T
  %y = memref.alloc() : !T
  call @fill(%x, %one) : (!T, i32) -> ()
  call @fill(%y, %two) : (!T, i32) -> ()
  %r:2 = scf.while (%i = %c0, %a = %x, %b = %y)
      : (index, !T, !T) -> (index, !T) {
    func.call @add(%a, %b, %b) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %b : index, !T
  } do {
  ^bb0(%i: index, %b: !T):
    %n = memref.alloc() : !T
    %m = memref.alloc() : !T
    func.call @fill(%n, %seven) : (!T, i32) -> ()
    func.call @add(%b, %n, %m) : (!T, !T, !T) -> ()
    memref.dealloc %b : !T
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %n, %m : index, !T, !T
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

} // namespace
