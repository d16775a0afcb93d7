// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// x * 0 of integers, x and false, and what moves, casts, compares or joins equal elements = a constant if the shape is known
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @product
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0> : tensor<2x3xi64>
// CHECK: onnx.Custom(%[[Z]])
func.func @product(%x: tensor<2x3xi64>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Mul(%x, %zero) <{since = 14}> : (tensor<2x3xi64>, tensor<i64>) -> tensor<2x3xi64>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xi64>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @conjunction
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<false> : tensor<2x3xi1>
// CHECK: onnx.Custom(%[[Z]])
func.func @conjunction(%x: tensor<2x3xi1>) -> tensor<1xf32> {
  %no = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.And(%no, %x) <{since = 7}> : (tensor<i1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xi1>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// One element of zeros of a size that is not known.
// CHECK-LABEL: @element
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0.000000e+00> : tensor<1xf32>
// CHECK: onnx.Custom(%[[Z]])
func.func @element(%s: tensor<1xi64>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.ConstantOfShape(%s) <{since = 9}> : (tensor<1xi64>) -> tensor<?xf32>
  %y = onnx.Gather(%z, %zero) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// 0 * NaN is NaN, 0 * -1 is -0.
// CHECK-LABEL: @floats_stay
// CHECK: onnx.Mul(
func.func @floats_stay(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %y = onnx.Mul(%x, %zero) <{since = 14}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @open_shapes_stay
// CHECK: onnx.Mul(
func.func @open_shapes_stay(%x: tensor<?x3xi64>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Mul(%x, %zero) <{since = 14}> : (tensor<?x3xi64>, tensor<i64>) -> tensor<?x3xi64>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xi64>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
