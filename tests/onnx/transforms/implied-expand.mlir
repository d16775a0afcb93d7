// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// f(Expand(x, s), y) = f(x, y) where f broadcasts and y has the shape of both
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @static
// CHECK-NOT: onnx.Expand(
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[Y]])
func.func @static(%x: tensor<1x3xf32>, %z: tensor<4x3xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[4, 3]> : tensor<2xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %y = onnx.Add(%e, %z) <{since = 14}>
    : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @second_operand
// CHECK-NOT: onnx.Expand(
// CHECK: %[[Y:.*]] = onnx.Sub(
// CHECK: onnx.Custom(%[[Y]])
func.func @second_operand(%x: tensor<1x3xf32>, %z: tensor<4x3xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[4, 3]> : tensor<2xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %y = onnx.Sub(%z, %e) <{since = 14}>
    : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Whatever the sizes are.

// CHECK-LABEL: @to_the_shape_of_the_other
// CHECK-NOT: onnx.Expand(
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK: onnx.Custom(%[[Y]])
func.func @to_the_shape_of_the_other(%x: tensor<1x3xf32>, %z: tensor<?x?x3xf32>) -> tensor<1xf32> {
  %t = onnx.Shape(%z) <{since = 25}> : (tensor<?x?x3xf32>) -> tensor<3xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x3xf32>
  %y = onnx.Mul(%e, %z) <{since = 14}>
    : (tensor<?x?x3xf32>, tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @condition
// CHECK-NOT: onnx.Expand(
// CHECK: %[[Y:.*]] = onnx.Where(
// CHECK: onnx.Custom(%[[Y]])
func.func @condition(%x: tensor<1x3xi1>, %z: tensor<4x3xf32>, %u: tensor<4x3xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[4, 3]> : tensor<2xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<1x3xi1>, tensor<2xi64>) -> tensor<4x3xi1>
  %y = onnx.Where(%e, %z, %u) <{since = 16}>
    : (tensor<4x3xi1>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @the_other_is_smaller_stays
// CHECK: onnx.Expand(
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[Y]])
func.func @the_other_is_smaller_stays(%x: tensor<1x3xf32>, %z: tensor<1x3xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[4, 3]> : tensor<2xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %y = onnx.Add(%e, %z) <{since = 14}>
    : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The other one may be one row: the Expand makes four.

// CHECK-LABEL: @another_size_stays
// CHECK: onnx.Expand(
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[Y]])
func.func @another_size_stays(%x: tensor<1x3xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[4, 3]> : tensor<2xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %y = onnx.Add(%e, %z) <{since = 14}>
    : (tensor<4x3xf32>, tensor<?x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// One that has as many rows, or one, would go; others are refused.

// CHECK-LABEL: @expand_that_may_fail_stays
// CHECK: onnx.Expand(
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK: onnx.Custom(%[[Y]])
func.func @expand_that_may_fail_stays(%x: tensor<?x3xf32>, %z: tensor<?x?x3xf32>) -> tensor<1xf32> {
  %t = onnx.Shape(%z) <{since = 25}> : (tensor<?x?x3xf32>) -> tensor<3xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x3xf32>
  %y = onnx.Mul(%e, %z) <{since = 14}>
    : (tensor<?x?x3xf32>, tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @legacy_stays
// CHECK: onnx.Expand(
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[Y]])
func.func @legacy_stays(%x: tensor<1x3xf32>, %z: tensor<4x3xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[4, 3]> : tensor<2xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %y = onnx.Add(%e, %z) <{since = 6}>
    : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// One of both is enough.

// CHECK-LABEL: @one_of_two
// CHECK: %[[E:.*]] = onnx.Expand(%arg1
// CHECK: onnx.Add(%arg0, %[[E]])
func.func @one_of_two(%x: tensor<1x3xf32>, %z: tensor<1x3xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[4, 3]> : tensor<2xi64>
  %e = onnx.Expand(%x, %t) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %f = onnx.Expand(%z, %t) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %y = onnx.Add(%e, %f) <{since = 14}>
    : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
