//===- ReuseRulesTest.cpp - Rules of buffer reuse, by programs ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A test has the name of a predicate, and fails if that admits everything.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/dealloc/reuse/ReusePrograms.h"

using namespace onnxfold;

namespace {

void expectCounts(const char *body, int64_t allocations, int64_t peak) {
  Outcome after = reuse(programOf(body));
  EXPECT_EQ(after.counts.allocations, allocations) << after;
  EXPECT_EQ(after.counts.peakBuffers, peak) << after;
}

TEST(ReuseRules, hasInvariantSize_DynamicSizesAreNotDoubleBuffered) {
  expectCounts(R"(
  %init = memref.alloc(%c10) : memref<?xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<?xi32>)
  %r = scf.for %i = %c1 to %c10 step %c1 iter_args(%a = %init)
      -> (memref<?xi32>) {
    %n = memref.alloc(%i) : memref<?xi32>
    %v = memref.load %a[%c0] : memref<?xi32>
    linalg.fill ins(%v : i32) outs(%n : memref<?xi32>)
    memref.dealloc %a : memref<?xi32>
    scf.yield %n : memref<?xi32>
  }
  %w = memref.load %r[%c0] : memref<?xi32>
  call @observe_i32(%w) : (i32) -> ()
  memref.dealloc %r : memref<?xi32>
)",
               10, 2);
}

/// The large buffer makes room to hoist the temporary one, which must take no
/// part in the exchange.
TEST(ReuseRules, isLiveOut_TemporariesAreNotExchanged) {
  expectCounts(R"(
  %big = memref.alloc() : memref<1000xi32>
  memref.store %one, %big[%c0] : memref<1000xi32>
  memref.dealloc %big : memref<1000xi32>
  %init = memref.alloc() : !T
  call @fill(%init, %one) : (!T, i32) -> ()
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %init) -> (!T) {
    %t = memref.alloc() : !T
    func.call @add(%a, %a, %t) : (!T, !T, !T) -> ()
    %n = memref.alloc() : !T
    func.call @add(%a, %t, %n) : (!T, !T, !T) -> ()
    memref.dealloc %a : !T
    memref.dealloc %t : !T
    scf.yield %n : !T
  }
  call @show(%r) : (!T) -> ()
  memref.dealloc %r : !T
)",
               4, 3);
}

/// The region before exchanges buffers with the region after: an allocation that
/// asks for alignment takes none of those that are freed without it.
TEST(ReuseRules, dropUnaligned_RegionsOfAWhileLoop) {
  Outcome after = reuse(programOf(R"(
  %large = memref.alloc() : memref<1000xi32>
  memref.store %one, %large[%c0] : memref<1000xi32>
  memref.dealloc %large : memref<1000xi32>
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
  // %n is allocated in each of the 11 runs of its region.
  EXPECT_GE(after.counts.allocations, 11) << after;
}

/// The large buffer, which is freed in branches, stays in the loop and leaves no
/// room for the small one beside it. So the small one stays in its branch, which
/// five of the nine iterations take.
TEST(ReuseRules, canHoistAllSlots_OrBranchesKeepTheirBuffers) {
  expectCounts(R"(
  scf.for %i = %c1 to %c10 step %c1 {
    %rest = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %rest, %c1 : index
    scf.if %odd {
      %a = memref.alloc() : !T
      func.call @fill(%a, %one) : (!T, i32) -> ()
      func.call @show(%a) : (!T) -> ()
      memref.dealloc %a : !T
    }
    %large = memref.alloc() : memref<1000xi32>
    memref.store %seven, %large[%c0] : memref<1000xi32>
    %v = memref.load %large[%c0] : memref<1000xi32>
    func.call @observe_i32(%v) : (i32) -> ()
    scf.if %odd {
      memref.dealloc %large : memref<1000xi32>
    } else {
      memref.dealloc %large : memref<1000xi32>
    }
  }
)",
               14, 1);
}

TEST(ReuseRules, isDefinedAt_NotAcrossAParallelLoop) {
  expectCounts(R"(
  %a = memref.alloc() : !T
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    %b = memref.alloc() : !T
    func.call @fill(%b, %seven) : (!T, i32) -> ()
    memref.copy %b, %a : !T to !T
    memref.dealloc %b : !T
  }
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
)",
               11, 2);
}

TEST(ReuseRules, isFirstUse_OfATargetThatHasContent) {
  expectCounts(R"(
  %b = memref.alloc() : !T
  call @fill(%b, %one) : (!T, i32) -> ()
  %a = memref.alloc() : !T
  call @fill(%a, %two) : (!T, i32) -> ()
  call @show(%a) : (!T) -> ()
  memref.copy %b, %a : !T to !T
  memref.dealloc %b : !T
  call @show(%a) : (!T) -> ()
  memref.dealloc %a : !T
)",
               2, 2);
}

} // namespace
