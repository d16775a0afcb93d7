// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// x + 0 = x - 0 = x: -0 is kept
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @add_0
// CHECK: onnx.Custom(%arg0)
// EXACT-LABEL: @add_0
// EXACT: onnx.Add(
func.func @add_0(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0.0> : tensor<3xf32>
  %y = onnx.Add(%z, %x) <{since = 14}>
    : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sub_minus_0
// CHECK: onnx.Custom(%arg0)
func.func @sub_minus_0(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<-0.0> : tensor<f32>
  %y = onnx.Sub(%x, %z) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Of any number.
// CHECK-LABEL: @zeros_of_the_same_shape
// CHECK: onnx.Custom(%arg0)
func.func @zeros_of_the_same_shape(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Shape(%x) <{since = 15}>
    : (tensor<?x3xf32>) -> tensor<2xi64>
  %z = onnx.ConstantOfShape(%s) <{since = 9}>
    : (tensor<2xi64>) -> tensor<?x3xf32>
  %y = onnx.Add(%x, %z) <{since = 14}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zeros_that_broadcast_stay
// CHECK: onnx.Add(
func.func @zeros_that_broadcast_stay(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0.0> : tensor<2x1x3xf32>
  %y = onnx.Add(%x, %z) <{since = 14}>
    : (tensor<?x3xf32>, tensor<2x1x3xf32>) -> tensor<2x?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zero_minus_x_stays
// CHECK: onnx.Sub(
func.func @zero_minus_x_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %y = onnx.Sub(%z, %x) <{since = 14}>
    : (tensor<f32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// What keeps a norm from dividing by 0.
// CHECK-LABEL: @small_stays
// CHECK: onnx.Add(
func.func @small_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<1.0e-12> : tensor<f32>
  %y = onnx.Add(%x, %z) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
