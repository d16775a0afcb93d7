// RUN: stablehlo-fold %s | FileCheck %s

// CHECK-LABEL: @while_counts
// CHECK-NEXT: stablehlo.constant dense<16> : tensor<i32>
// CHECK-NEXT: return
func.func @while_counts() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = "stablehlo.while"(%zero, %one) ({
  ^bb0(%i: tensor<i32>, %v: tensor<i32>):
    %c = "stablehlo.compare"(%i, %four) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<i32>):
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %twice = "stablehlo.add"(%v, %v) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %twice) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r#1 : tensor<i32>
}

// The last body for a number that is none; private functions are inlined.
// CHECK-LABEL: @case_takes_the_last
// CHECK-NEXT: stablehlo.constant dense<9> : tensor<i32>
// CHECK-NEXT: return
// CHECK-NOT: @three
func.func @case_takes_the_last() -> tensor<i32> {
  %index = stablehlo.constant dense<-1> : tensor<i32>
  %x = call @three() : () -> tensor<i32>
  %r = "stablehlo.case"(%index) ({
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }, {
    %p = "stablehlo.multiply"(%x, %x) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%p) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
func.func private @three() -> tensor<i32> {
  %x = stablehlo.constant dense<3> : tensor<i32>
  return %x : tensor<i32>
}

// CHECK-LABEL: @if_of_an_unknown_condition_stays
// CHECK: "stablehlo.if"
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.constant dense<2.000000e+00>
// CHECK-NEXT: stablehlo.return %[[SUM]]
func.func @if_of_an_unknown_condition_stays(%c: tensor<i1>) -> tensor<f32> {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %r = "stablehlo.if"(%c) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
