// RUN: fold-opt -allow-unregistered-dialect -constprop %s | FileCheck %s
//
// scf.if, scf.for, scf.while, scf.index_switch and func.call fold by MLIR's own
// interfaces: none of these dialects has a FoldingInterface.

// CHECK-LABEL: func.func @arith
// CHECK-NEXT: %[[C:.*]] = arith.constant 42 : i32
// CHECK-NEXT: return %[[C]]
func.func @arith() -> i32 {
  %a = arith.constant 6 : i32
  %b = arith.constant 7 : i32
  %c = arith.muli %a, %b : i32
  return %c : i32
}

// CHECK-LABEL: func.func @tensors
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<[11, 22, -1]> : tensor<3xi8>
// CHECK-NEXT: return %[[C]]
func.func @tensors() -> tensor<3xi8> {
  %a = arith.constant dense<[1, 2, 127]> : tensor<3xi8>
  %b = arith.constant dense<[10, 20, -128]> : tensor<3xi8>
  %c = arith.addi %a, %b : tensor<3xi8>
  return %c : tensor<3xi8>
}

// Division by zero is undefined: MLIR's folder refuses it.
// CHECK-LABEL: func.func @undefined
// CHECK: arith.divsi
func.func @undefined() -> i32 {
  %a = arith.constant 6 : i32
  %b = arith.constant 0 : i32
  %c = arith.divsi %a, %b : i32
  return %c : i32
}

// CHECK-LABEL: func.func @if_known
// CHECK-NEXT: %[[C:.*]] = arith.constant 3 : i32
// CHECK-NEXT: return %[[C]]
func.func @if_known() -> i32 {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %r = scf.if %true -> i32 {
    %two = arith.constant 2 : i32
    %a = arith.addi %one, %two : i32
    scf.yield %a : i32
  } else {
    %b = arith.subi %one, %one : i32
    scf.yield %b : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @if_unknown
// CHECK: scf.if
// CHECK: arith.constant 2 : i32
// CHECK-NEXT: scf.yield
func.func @if_unknown(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.if %c -> i32 {
    %a = arith.addi %one, %one : i32
    scf.yield %a : i32
  } else {
    scf.yield %one : i32
  }
  return %r : i32
}

// The branch that is not taken may do what it likes.
// CHECK-LABEL: func.func @other_branch
// CHECK-NEXT: %[[C:.*]] = arith.constant 1 : i32
// CHECK-NEXT: return %[[C]]
func.func @other_branch() -> i32 {
  %false = arith.constant false
  %one = arith.constant 1 : i32
  %r = scf.if %false -> i32 {
    %a = func.call @outside() : () -> i32
    scf.yield %a : i32
  } else {
    scf.yield %one : i32
  }
  return %r : i32
}

// 0 + 1 + ... + 9
// CHECK-LABEL: func.func @for_known
// CHECK-NEXT: %[[C:.*]] = arith.constant 45 : index
// CHECK-NEXT: return %[[C]]
func.func @for_known() -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %r = scf.for %i = %zero to %ten step %one iter_args(%sum = %zero) -> index {
    %next = arith.addi %sum, %i : index
    scf.yield %next : index
  }
  return %r : index
}

// 2, 5, 8: the step is 3, the last one before 9. Results change places.
// CHECK-LABEL: func.func @for_step
// CHECK-DAG: %[[A:.*]] = arith.constant 5 : i32
// CHECK-DAG: %[[B:.*]] = arith.constant 8 : i32
// CHECK: return %[[A]], %[[B]]
func.func @for_step() -> (i32, i32) {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %nine = arith.constant 9 : i32
  %r:2 = scf.for %i = %two to %nine step %three
      iter_args(%before = %nine, %last = %nine) -> (i32, i32) : i32 {
    scf.yield %last, %i : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// CHECK-LABEL: func.func @for_never
// CHECK-NEXT: %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT: return %[[C]]
func.func @for_never() -> i32 {
  %five = arith.constant 5 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %r = scf.for %i = %five to %one step %one iter_args(%a = %seven) -> i32 {
    %next = func.call @outside() : () -> i32
    scf.yield %next : i32
  }
  return %r : i32
}

// Nobody knows how often it runs; what is the same each time is known.
// CHECK-LABEL: func.func @for_invariant
// CHECK-SAME: (%[[N:.*]]: index, %[[X:.*]]: i32)
// CHECK: scf.for
// CHECK: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: arith.addi %{{.*}}, %[[SIX]] : i32
// CHECK: }
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK: return %{{.*}}, %[[FOUR]]
func.func @for_invariant(%n: index, %x: i32) -> (i32, i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %r:2 = scf.for %i = %zero to %n step %one
      iter_args(%sum = %x, %same = %three) -> (i32, i32) {
    %six = arith.muli %same, %two : i32
    %next = arith.addi %sum, %six : i32
    scf.yield %next, %same : i32, i32
  }
  %c1 = arith.constant 1 : i32
  %four = arith.addi %r#1, %c1 : i32
  return %r#0, %four : i32, i32
}

// The interface does not say whether negative bounds are signed.
// CHECK-LABEL: func.func @for_negative
// CHECK: scf.for
func.func @for_negative() -> i32 {
  %low = arith.constant -2 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %r = scf.for %i = %low to %three step %one iter_args(%a = %one) -> i32 : i32 {
    %next = arith.addi %a, %one : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// The largest power of 2 below 100, and how often the loop ran.
// CHECK-LABEL: func.func @while_known
// CHECK-DAG: %[[A:.*]] = arith.constant 128 : i32
// CHECK-DAG: %[[B:.*]] = arith.constant 7 : i32
// CHECK: return %[[A]], %[[B]]
func.func @while_known() -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %hundred = arith.constant 100 : i32
  %r:2 = scf.while (%x = %one, %n = %zero) : (i32, i32) -> (i32, i32) {
    %more_left = arith.cmpi slt, %x, %hundred : i32
    scf.condition(%more_left) %x, %n : i32, i32
  } do {
  ^bb0(%y: i32, %m: i32):
    %twice = arith.addi %y, %y : i32
    %more = arith.addi %m, %one : i32
    scf.yield %twice, %more : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// It never ends: beyond the largest trip count it is kept.
// CHECK-LABEL: func.func @while_forever
// CHECK: scf.while
func.func @while_forever() -> i32 {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %r = scf.while (%x = %one) : (i32) -> i32 {
    scf.condition(%true) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @while_unknown
// CHECK: scf.while
func.func @while_unknown(%limit: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.while (%x = %one) : (i32) -> i32 {
    %more_left = arith.cmpi slt, %x, %limit : i32
    scf.condition(%more_left) %x : i32
  } do {
  ^bb0(%y: i32):
    %twice = arith.addi %y, %y : i32
    scf.yield %twice : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @switch
// CHECK-NEXT: %[[C:.*]] = arith.constant 20 : i32
// CHECK-NEXT: return %[[C]]
func.func @switch() -> i32 {
  %two = arith.constant 2 : index
  %r = scf.index_switch %two -> i32
  case 1 {
    %a = arith.constant 10 : i32
    scf.yield %a : i32
  }
  case 2 {
    %b = arith.constant 20 : i32
    scf.yield %b : i32
  }
  default {
    %c = arith.constant 30 : i32
    scf.yield %c : i32
  }
  return %r : i32
}

//===--- calls --------------------------------------------------------------===//

func.func private @outside() -> i32

// CHECK-LABEL: func.func @factorial
func.func @factorial(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %small = arith.cmpi sle, %n, %one : i32
  %r = scf.if %small -> i32 {
    scf.yield %one : i32
  } else {
    %less = arith.subi %n, %one : i32
    %rest = func.call @factorial(%less) : (i32) -> i32
    %product = arith.muli %n, %rest : i32
    scf.yield %product : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @call
// CHECK-NEXT: %[[C:.*]] = arith.constant 120 : i32
// CHECK-NEXT: return %[[C]]
func.func @call() -> i32 {
  %five = arith.constant 5 : i32
  %r = func.call @factorial(%five) : (i32) -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @endless
// CHECK: call @endless
func.func @endless(%n: i32) -> i32 {
  %r = func.call @endless(%n) : (i32) -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @call_endless
// CHECK: call @endless
func.func @call_endless() -> i32 {
  %five = arith.constant 5 : i32
  %r = func.call @endless(%five) : (i32) -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @call_outside
// CHECK: call @outside
func.func @call_outside() -> i32 {
  %r = func.call @outside() : () -> i32
  return %r : i32
}

// A function that does something else besides computing its result.
// CHECK-LABEL: func.func @tells
func.func @tells(%n: i32) -> i32 {
  "some.effect"(%n) : (i32) -> ()
  return %n : i32
}

// CHECK-LABEL: func.func @call_effect
// CHECK: call @tells
func.func @call_effect() -> i32 {
  %five = arith.constant 5 : i32
  %r = func.call @tells(%five) : (i32) -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @for_effect
// CHECK: scf.for
// CHECK: "some.effect"
// CHECK: }
func.func @for_effect() -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %five = arith.constant 5 : i32
  %r = scf.for %i = %zero to %three step %one iter_args(%a = %five) -> i32 {
    "some.effect"(%a) : (i32) -> ()
    %b = arith.addi %a, %five : i32
    scf.yield %b : i32
  }
  return %r : i32
}

// A function of several blocks is not run.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%n: i32) -> i32 {
  cf.br ^end(%n : i32)
^end(%m: i32):
  return %m : i32
}

// CHECK-LABEL: func.func @call_blocks
// CHECK: call @blocks
func.func @call_blocks() -> i32 {
  %five = arith.constant 5 : i32
  %r = func.call @blocks(%five) : (i32) -> i32
  return %r : i32
}
