// RUN: fold-opt -constprop -scrub -split-input-file %s | FileCheck %s

// CHECK-LABEL: @cond_if_takes_one_branch
// CHECK-NOT: tosa.cond_if
// CHECK: dense<5.000000e+00>
func.func @cond_if_takes_one_branch() -> tensor<f32> {
  %c = "tosa.const"() <{values = dense<false> : tensor<i1>}> : () -> tensor<i1>
  %x = "tosa.const"() <{values = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
  %y = "tosa.const"() <{values = dense<3.0> : tensor<f32>}> : () -> tensor<f32>
  %r = tosa.cond_if %c (%a = %x, %b = %y) : tensor<i1> (tensor<f32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    tosa.yield %a : tensor<f32>
  } else {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = tosa.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tosa.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @while_loop_counts_to_four
// CHECK-NOT: tosa.while_loop
// CHECK: dense<16>
func.func @while_loop_counts_to_four() -> tensor<i32> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %zero, %v = %one) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %four = "tosa.const"() <{values = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %c = tosa.greater %four, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<i32>):
    %step = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %next = tosa.add %i, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %twice = tosa.add %v, %v : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %next, %twice : tensor<i32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}

// -----

// What reads a computed shape folds.
// CHECK-LABEL: @reshape_to_a_computed_shape
// CHECK: dense<{{\[\[1, 2, 3\], \[4, 5, 6\]\]}}> : tensor<2x3xi32>
// CHECK-NOT: tosa.reshape
func.func @reshape_to_a_computed_shape() -> tensor<2x3xi32> {
  %x = "tosa.const"() <{values = dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>}> : () -> tensor<6xi32>
  %a = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %s = tosa.add_shape %a, %b : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  %r = tosa.reshape %x, %s : (tensor<6xi32>, !tosa.shape<2>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
