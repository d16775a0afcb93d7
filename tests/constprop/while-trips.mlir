// scf.while counted each entry of its two regions as an iteration, so that half of the trips were beyond the limit.
// RUN: fold-opt -constprop=max-trip-count=7 %s | FileCheck %s
// RUN: fold-opt -constprop=max-trip-count=6 %s | FileCheck %s --check-prefix=SIX
// RUN: fold-opt -constprop=max-trip-count=5 %s | FileCheck %s --check-prefix=FIVE
// RUN: fold-opt -constprop=max-trip-count=4 %s | FileCheck %s --check-prefix=FOUR

// Its second region runs seven times, its first one eight times.
// CHECK-LABEL: func.func @seven
// CHECK-NEXT: %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT: return %[[C]]
// SIX-LABEL: func.func @seven
// SIX: scf.while
func.func @seven() -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %r = scf.while (%n = %zero) : (i32) -> i32 {
    %more = arith.cmpi slt, %n, %seven : i32
    scf.condition(%more) %n : i32
  } do {
  ^bb0(%m: i32):
    %next = arith.addi %m, %one : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// Iterations of a loop inside count too: 2 of this one, and 3 and 0 of the inner one.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT: %[[C:.*]] = arith.constant 5 : i32
// CHECK-NEXT: return %[[C]]
// FIVE-LABEL: func.func @nested
// FIVE-NEXT: arith.constant 5 : i32
// FIVE-NEXT: return
// FOUR-LABEL: func.func @nested
// FOUR: scf.while
func.func @nested() -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %r = scf.while (%n = %zero) : (i32) -> i32 {
    %more = arith.cmpi slt, %n, %five : i32
    scf.condition(%more) %n : i32
  } do {
  ^bb0(%m: i32):
    %inner = scf.while (%k = %m) : (i32) -> i32 {
      %low = arith.cmpi slt, %k, %three : i32
      scf.condition(%low) %k : i32
    } do {
    ^bb0(%k: i32):
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }
    %two = arith.addi %inner, %one : i32
    scf.yield %two : i32
  }
  return %r : i32
}
