// RUN: fold-opt -constprop -scrub -split-input-file %s | FileCheck %s

// Regions and calls, which have no kernels: the engine asks MLIR's interfaces.
// Random programs of scf are compared in test_upstream_control.py.

// CHECK-LABEL: @call_of_a_function
// CHECK: %[[C:.*]] = arith.constant dense<[3.000000e+00, 5.000000e+00]> : tensor<2xf32>
// CHECK: return %[[C]]
func.func private @double_and_one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %twice = arith.addf %x, %x : tensor<2xf32>
  %y = arith.addf %twice, %one : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @call_of_a_function() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = func.call @double_and_one(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// A function that prints is called all the same; what is constant in it folds.
// CHECK-LABEL: @call_with_an_effect_stays
// CHECK: call @shown
func.func private @print(i32)
func.func private @shown(%x: i32) -> i32 {
  func.call @print(%x) : (i32) -> ()
  return %x : i32
}
func.func @call_with_an_effect_stays() -> i32 {
  %c = arith.constant 3 : i32
  %r = func.call @shown(%c) : (i32) -> i32
  return %r : i32
}

// -----

// CHECK-LABEL: @regions
// CHECK: %[[C:.*]] = arith.constant 42 : i32
// CHECK: return %[[C]]
func.func @regions() -> i32 {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %r:2 = scf.while (%n = %three, %sum = %zero) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi sgt, %n, %zero : i32
    scf.condition(%more) %n, %sum : i32, i32
  } do {
  ^bb0(%n: i32, %sum: i32):
    %one = arith.constant 1 : i32
    %less = arith.subi %n, %one : i32
    %seven = scf.execute_region -> i32 {
      %c = arith.constant 7 : i32
      scf.yield %c : i32
    }
    %two = arith.constant 2 : index
    %factor = scf.index_switch %two -> i32
    case 2 {
      %c = arith.constant 2 : i32
      scf.yield %c : i32
    }
    default {
      scf.yield %n : i32
    }
    %product = arith.muli %seven, %factor : i32
    %more = arith.addi %sum, %product : i32
    scf.yield %less, %more : i32, i32
  }
  return %r#1 : i32
}

// -----

// Bodies that have no order.
// CHECK-LABEL: @parallel_stays
// CHECK: scf.parallel
func.func @parallel_stays() -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 3 : index
  %begin = arith.constant 10 : i32
  %r = scf.parallel (%j) = (%zero) to (%n) step (%one) init (%begin) -> i32 {
    scf.reduce(%begin : i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}

// -----

// Trip counts that the values of arguments decide.
// CHECK-LABEL: @unknown_bound_stays
// CHECK: scf.for
func.func @unknown_bound_stays(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> index {
    %t = arith.addi %s, %i : index
    scf.yield %t : index
  }
  return %r : index
}
