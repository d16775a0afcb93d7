//===- PublishedTest.cpp - The published cases of deallocate, run ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The names are those of the published tests of the design's implementation;
// what deallocate writes for them is in deallocate*.mlir. Here they run, as
// they are and with blocks in place of loops and branches: the values of the
// program that never frees, no leak, no double free, no use after free.
//
// The other published tests that run: the lowerings (null, get_buffer, own,
// free, retains of all sizes) in run-retain.mlir, reuse in
// reuse/BufferReuseTest.cpp and BufferReuseIRTest.cpp, splitting of tensors in
// reuse/TensorProgramsTest.cpp. `f`, which calls itself for ever, does not.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/Programs.h"
#include "gtest/gtest.h"

using namespace onnxfold;

namespace {

struct Published {
  const char *name;
  int64_t allocations; // in every variant
  const char *body;
  const char *functions = "";
};

void PrintTo(const Published &program, std::ostream *os) {
  *os << program.name;
}

class Runs : public testing::TestWithParam<Published> {};

TEST_P(Runs, WithoutAMistake) {
  const Published &published = GetParam();
  std::string program = programOf(published.body, published.functions);
  Outcome plain = runProgram(program, "");
  ASSERT_EQ(plain.error, "");
  ASSERT_FALSE(plain.values.empty());
  for (const char *pipeline :
       {"deallocate", "deallocate,func.func(deallocation-simplification)",
        "convert-scf-to-cf,deallocate,func.func(deallocation-simplification)",
        "buffer-deallocation-and-reuse{reuse=0}"}) {
    Outcome freed = runProgram(program, pipeline);
    ASSERT_EQ(freed.error, "") << pipeline;
    EXPECT_TRUE(freed.counts.clean()) << pipeline << freed;
    EXPECT_EQ(freed.values, plain.values) << pipeline << freed;
    EXPECT_EQ(freed.counts.allocations, published.allocations)
        << pipeline << freed;
  }
}

const Published inFunctions[] = {{"loop_nested_alloc", 21, R"(
  %x = memref.alloc() : !T
  call @fill(%x, %one) : (!T, i32) -> ()
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%m = %x) -> (!T) {
    %s = scf.for %j = %c0 to %c2 step %c1 iter_args(%n = %m) -> (!T) {
      %u = scf.if %yes -> (!T) {
        %a = memref.alloc() : !T
        func.call @add(%n, %x, %a) : (!T, !T, !T) -> ()
        scf.yield %a : !T
      } else {
        scf.yield %n : !T
      }
      scf.yield %u : !T
    }
    scf.yield %s : !T
  }
  call @show(%r) : (!T) -> ()
)"},
                                 {"nested_if", 3, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %r:2 = scf.if %yes -> (!T, !T) {
    %s:2 = scf.if %yes -> (!T, !T) {
      %n = memref.alloc() : !T
      func.call @add(%a, %b, %n) : (!T, !T, !T) -> ()
      scf.yield %a, %n : !T, !T
    } else {
      scf.yield %b, %a : !T, !T
    }
    scf.yield %s#1, %s#0 : !T, !T
  } else {
    scf.yield %a, %b : !T, !T
  }
  call @show(%r#0) : (!T) -> ()
  call @show(%r#1) : (!T) -> ()
)"},
                                 {"while", 11, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  %r:4 = scf.while (%i = %c0, %p = %a, %q = %a, %s = %a)
      : (index, !T, !T, !T) -> (index, !T, !T, !T) {
    func.call @show(%p) : (!T) -> ()
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %q, %s, %p : index, !T, !T, !T
  } do {
  ^bb0(%i: index, %p: !T, %q: !T, %s: !T):
    %next = arith.addi %i, %c1 : index
    %n = memref.alloc() : !T
    func.call @add(%p, %q, %n) : (!T, !T, !T) -> ()
    scf.yield %next, %n, %p, %q : index, !T, !T, !T
  }
  call @show(%r#1) : (!T) -> ()
  call @show(%r#3) : (!T) -> ()
)"},
                                 {"if_without_else", 1, R"(
  scf.if %yes {
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
  }
)"},
                                 {"yield_same_alloc_twice", 2, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %r:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%p = %b, %q = %b)
      -> (!T, !T) {
    func.call @show(%q) : (!T) -> ()
    scf.yield %a, %a : !T, !T
  }
  call @show(%r#0) : (!T) -> ()
  call @show(%r#1) : (!T) -> ()
)"},
                                 {"yield_derived", 4, R"(
  %r = scf.if %yes -> (!T) {
    %a = memref.alloc() : !T
    %b = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @fill(%b, %two) : (!T, i32) -> ()
    %either = arith.select %yes, %a, %b : !T
    %larger = memref.cast %either : !T to memref<?xi32>
    %same = memref.cast %larger : memref<?xi32> to !T
    scf.yield %same : !T
  } else {
    %c = memref.alloc() : !T
    scf.yield %c : !T
  }
  call @show(%r) : (!T) -> ()
  %s = scf.execute_region -> !T {
    %a = memref.alloc() : !T
    %b = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @fill(%b, %two) : (!T, i32) -> ()
    %either = arith.select %yes, %b, %a : !T
    scf.yield %either : !T
  }
  call @show(%s) : (!T) -> ()
)"},
                                 {"unknown_op", 3, R"(
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
  }
  %b = memref.alloc() : !T
  call @fill(%b, %two) : (!T, i32) -> ()
  call @show(%b) : (!T) -> ()
)"},
                                 {"alloca", 1, R"(
  %a = memref.alloca() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %m = arith.select %yes, %a, %b : !T
  call @show(%m) : (!T) -> ()
)"},
                                 {"dealloc", 1, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
)"},
                                 {"dealloc_in_loop", 10, R"(
  scf.for %i = %c0 to %c10 step %c1 {
    %a = memref.alloc() : !T
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
    memref.dealloc %a : !T
  }
)"},
                                 {"dealloc_around_loop", 1, R"(
  %a = memref.alloc() : !T
  scf.for %i = %c0 to %c10 step %c1 {
    func.call @fill(%a, %one) : (!T, i32) -> ()
    func.call @show(%a) : (!T) -> ()
  }
  memref.dealloc %a : !T
)"},
                                 {"memory_effect_no_free_or_alloc", 1, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  %e = memref.expand_shape %a [[0, 1]] output_shape [2, 50]
      : !T into memref<2x50xi32>
  %v = memref.load %e[%c1, %c2] : memref<2x50xi32>
  call @observe_i32(%v) : (i32) -> ()
)"},
                                 {"retain_is_dealloc_for", 11, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%m = %a) -> (!T) {
    %n = memref.alloc() : !T
    func.call @add(%m, %m, %n) : (!T, !T, !T) -> ()
    scf.yield %n : !T
  }
  call @show(%r) : (!T) -> ()
)"},
                                 {"retain_is_dealloc_while_permute", 3, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  %c = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  call @fill(%c, %seven) : (!T, i32) -> ()
  %r:4 = scf.while (%i = %c0, %p = %a, %q = %b, %s = %c)
      : (index, !T, !T, !T) -> (index, !T, !T, !T) {
    %more = arith.cmpi slt, %i, %c10 : index
    scf.condition(%more) %i, %q, %p, %s : index, !T, !T, !T
  } do {
  ^bb0(%i: index, %p: !T, %q: !T, %s: !T):
    %next = arith.addi %i, %c1 : index
    func.call @show(%p) : (!T) -> ()
    scf.yield %next, %s, %p, %q : index, !T, !T, !T
  }
  call @show(%r#2) : (!T) -> ()
)"},
                                 {"retain_is_not_dealloc_for", 3, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @carry(%a, %c2) : (!T, index) -> ()
  call @carry(%a, %c0) : (!T, index) -> ()
  call @show(%a) : (!T) -> ()
)",
                                  R"(
func.func @carry(%a: !T, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (!T) {
    %n1 = memref.alloc() : !T
    func.call @add(%m, %m, %n1) : (!T, !T, !T) -> ()
    scf.yield %n1 : !T
  }
  call @show(%r) : (!T) -> ()
  return
})"}};

INSTANTIATE_TEST_SUITE_P(InFunctions, Runs, testing::ValuesIn(inFunctions),
                         [](const auto &info) { return info.param.name; });

const Published reallocated[] = {{"unconditional_realloc", 2, R"(
  %a = memref.alloc(%c2) : memref<?xi32>
  memref.store %seven, %a[%c1] : memref<?xi32>
  %b = memref.realloc %a(%c10) : memref<?xi32> to memref<?xi32>
  %v = memref.load %b[%c1] : memref<?xi32>
  call @observe_i32(%v) : (i32) -> ()
)"},
                                 {"realloc_in_if", 2, R"(
  %a = memref.alloc(%c2) : memref<?xi32>
  memref.store %seven, %a[%c1] : memref<?xi32>
  %r = scf.if %yes -> memref<?xi32> {
    %b = memref.realloc %a(%c10) : memref<?xi32> to memref<?xi32>
    scf.yield %b : memref<?xi32>
  } else {
    scf.yield %a : memref<?xi32>
  }
  %v = memref.load %r[%c1] : memref<?xi32>
  call @observe_i32(%v) : (i32) -> ()
)"},
                                 {"realloc_in_if_strange_but_ok", 3, R"(
  %a = memref.alloc(%c2) : memref<?xi32>
  %r = scf.if %yes -> memref<?xi32> {
    %b = memref.realloc %a(%c10) : memref<?xi32> to memref<?xi32>
    %c = memref.alloc(%c2) : memref<?xi32>
    memref.store %seven, %c[%c1] : memref<?xi32>
    scf.yield %c : memref<?xi32>
  } else {
    scf.yield %a : memref<?xi32>
  }
  %v = memref.load %r[%c1] : memref<?xi32>
  call @observe_i32(%v) : (i32) -> ()
)"},
                                 {"realloc_in_loop", 5, R"(
  %a = memref.alloc(%c2) : memref<?xi32>
  memref.store %seven, %a[%c1] : memref<?xi32>
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%m = %a) -> memref<?xi32> {
    %rest = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %rest, %c1 : index
    %n = scf.if %odd -> memref<?xi32> {
      %size = arith.minui %i, %c10 : index
      %b = memref.realloc %m(%size) : memref<?xi32> to memref<?xi32>
      scf.yield %b : memref<?xi32>
    } else {
      scf.yield %m : memref<?xi32>
    }
    scf.yield %n : memref<?xi32>
  }
  %v = memref.load %r[%c0] : memref<?xi32>
  memref.store %v, %r[%c2] : memref<?xi32>
  %length = memref.dim %r, %c0 : memref<?xi32>
  call @observe_index(%length) : (index) -> ()
)"}};

INSTANTIATE_TEST_SUITE_P(Reallocated, Runs, testing::ValuesIn(reallocated),
                         [](const auto &info) { return info.param.name; });

const Published throughFunctions[] = {{"id_and_id_select", 2, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %p = call @id(%a) : (!T) -> !T
  %q = call @id_select(%p, %b, %yes) : (!T, !T, i1) -> !T
  call @show(%q) : (!T) -> ()
)",
                                       R"(
func.func @id(%a: !T) -> !T {
  return %a : !T
}
func.func @id_select(%a: !T, %b: !T, %c: i1) -> !T {
  %r = arith.select %c, %a, %b : !T
  return %r : !T
})"},
                                      {"ite_and_ite_select", 2, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %p = call @ite(%a, %b, %yes) : (!T, !T, i1) -> !T
  %q = call @ite_select(%p, %b, %yes) : (!T, !T, i1) -> !T
  call @show(%q) : (!T) -> ()
)",
                                       R"(
func.func private @ite(%a: !T, %b: !T, %c: i1) -> !T {
  %r = scf.if %c -> (!T) {
    scf.yield %a : !T
  } else {
    scf.yield %b : !T
  }
  return %r : !T
}
func.func private @ite_select(%a: !T, %b: !T, %c: i1) -> !T {
  %r = scf.if %c -> (!T) {
    %s = arith.select %c, %a, %b : !T
    scf.yield %s : !T
  } else {
    scf.yield %b : !T
  }
  return %r : !T
})"},
                                      {"may_reuse", 3, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  %p = call @may_reuse(%a, %yes) : (!T, i1) -> !T
  call @show(%p) : (!T) -> ()
  %no = arith.constant false
  %b = memref.alloc() : !T
  call @fill(%b, %two) : (!T, i32) -> ()
  %q = call @may_reuse(%b, %no) : (!T, i1) -> !T
  call @show(%q) : (!T) -> ()
)",
                                       R"(
func.func @may_reuse(%a: !T, %c: i1) -> !T {
  %r = scf.if %c -> (!T) {
    scf.yield %a : !T
  } else {
    %n = memref.alloc() : !T
    func.call @add(%a, %a, %n) : (!T, !T, !T) -> ()
    scf.yield %n : !T
  }
  return %r : !T
})"},
                                      {"insert_may_reuse_and_forward", 3, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %no = arith.constant false
  %p:2 = call @insert_may_reuse_and_forward(%a, %b, %yes)
      : (!T, !T, i1) -> (!T, !T)
  %q:2 = call @insert_may_reuse_and_forward(%p#1, %p#0, %no)
      : (!T, !T, i1) -> (!T, !T)
  call @show(%q#0) : (!T) -> ()
  call @show(%q#1) : (!T) -> ()
)",
                                       R"(
func.func @insert_may_reuse_and_forward(%a: !T, %b: !T, %c: i1) -> (!T, !T) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %r = scf.if %c -> (!T) {
    scf.yield %a : !T
  } else {
    %n = memref.alloc() : !T
    memref.copy %a, %n : !T to !T
    scf.yield %n : !T
  }
  memref.store %one, %r[%c0] : !T
  return %r, %b : !T, !T
})"},
                                      {"ite_no_yielded_buffers", 1, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  %v = scf.if %yes -> i32 {
    %w = memref.load %a[%c1] : !T
    scf.yield %w : i32
  } else {
    scf.yield %two : i32
  }
  call @observe_i32(%v) : (i32) -> ()
)"},
                                      {"terminating_f", 4, R"(
  %a = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  %three = arith.addi %c1, %c2 : index
  %r = call @terminating_f(%a, %three) : (!T, index) -> !T
  call @show(%r) : (!T) -> ()
)",
                                       R"(
func.func @terminating_f(%a: !T, %n: index) -> !T {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ne, %n, %c0 : index
  %r = scf.if %more -> (!T) {
    %b = memref.alloc() : !T
    func.call @add(%a, %a, %b) : (!T, !T, !T) -> ()
    %less = arith.subi %n, %c1 : index
    %s = func.call @terminating_f(%b, %less) : (!T, index) -> !T
    scf.yield %s : !T
  } else {
    scf.yield %a : !T
  }
  return %r : !T
})"},
                                      {"id_with_two_arguments_called_twice", 2,
                                       R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %p:2 = call @swap(%a, %b) : (!T, !T) -> (!T, !T)
  %q:2 = call @swap(%p#0, %p#0) : (!T, !T) -> (!T, !T)
  call @show(%q#0) : (!T) -> ()
  call @show(%q#1) : (!T) -> ()
  call @show(%p#1) : (!T) -> ()
)",
                                       R"(
func.func private @swap(%a: !T, %b: !T) -> (!T, !T) {
  return %b, %a : !T, !T
})"},
                                      {"forward_and_replace", 3, R"(
  %a = memref.alloc() : !T
  %b = memref.alloc() : !T
  call @fill(%a, %one) : (!T, i32) -> ()
  call @fill(%b, %two) : (!T, i32) -> ()
  %p = call @forward(%a, %b) : (!T, !T) -> !T
  %q = call @replace(%p, %b) : (!T, !T) -> !T
  call @show(%q) : (!T) -> ()
)",
                                       R"(
func.func private @forward(%a: !T, %b: !T) -> !T {
  return %a : !T
}
func.func private @replace(%a: !T, %b: !T) -> !T {
  %n = memref.alloc() : !T
  call @add(%a, %b, %n) : (!T, !T, !T) -> ()
  return %n : !T
})"}};

INSTANTIATE_TEST_SUITE_P(ThroughFunctions, Runs,
                         testing::ValuesIn(throughFunctions),
                         [](const auto &info) { return info.param.name; });

} // namespace
