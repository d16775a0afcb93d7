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

// A composite is its decomposition, which nobody needs then.
// CHECK-LABEL: @composite_is_its_decomposition
// CHECK-NEXT: stablehlo.constant dense<6> : tensor<i32>
// CHECK-NEXT: return
// CHECK-NOT: @doubled
func.func @composite_is_its_decomposition() -> tensor<i32> {
  %x = stablehlo.constant dense<3> : tensor<i32>
  %r = stablehlo.composite "my.doubled" %x {decomposition = @doubled} : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
func.func private @doubled(%x: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.add %x, %x : tensor<i32>
  return %r : tensor<i32>
}

// Its value is known, and still somebody hears of it.
// CHECK-LABEL: @composite_that_talks_stays
// CHECK: "stablehlo.composite"
func.func @composite_that_talks_stays() -> tensor<i32> {
  %x = stablehlo.constant dense<3> : tensor<i32>
  %r = stablehlo.composite "my.telling" %x {decomposition = @telling} : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
func.func private @telling(%x: tensor<i32>) -> tensor<i32> {
  stablehlo.custom_call @tell(%x) {has_side_effect = true} : (tensor<i32>) -> ()
  return %x : tensor<i32>
}

// As JAX writes scans: a call in the body of a loop.
// CHECK-LABEL: @call_in_a_loop
// CHECK-NEXT: stablehlo.constant dense<64> : tensor<i32>
// CHECK-NEXT: return
func.func @call_in_a_loop() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %one) : tensor<i32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %six, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %twice = func.call @twice(%v) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %next, %twice : tensor<i32>, tensor<i32>
  }
  return %r#1 : tensor<i32>
}
func.func private @twice(%x: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.add %x, %x : tensor<i32>
  return %r : tensor<i32>
}

// A comparator that calls a function, and a shape that is an operand.
// CHECK-LABEL: @comparator_and_shapes
// CHECK-NEXT: stablehlo.constant dense<{{\[\[}}9, 5, 2], [9, 5, 2]]> : tensor<2x3xi32>
// CHECK-NEXT: return
func.func @comparator_and_shapes() -> tensor<2x3xi32> {
  %x = stablehlo.constant dense<[5, 9, 2]> : tensor<3xi32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %s = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %g = func.call @greater(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  %r = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [1] : (tensor<3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
func.func private @greater(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i1> {
  %g = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %g : tensor<i1>
}
