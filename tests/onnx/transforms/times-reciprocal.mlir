// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// x * (1 / y) = x * Reciprocal(y) = x / y
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @reciprocal
// CHECK: %[[Y:.*]] = onnx.Div(%arg0, %arg1)
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @reciprocal
// EXACT: onnx.Reciprocal(
// EXACT: onnx.Mul(
func.func @reciprocal(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Reciprocal(%z) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Mul(%a, %x) <{since = 14}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @one_over
// CHECK: onnx.Div(%arg0, %arg1)
func.func @one_over(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %a = onnx.Div(%one, %z) <{since = 14}>
    : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Mul(%x, %a) <{since = 14}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @two_over_stays
// CHECK: onnx.Div(
// CHECK: onnx.Mul(
func.func @two_over_stays(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %two = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Div(%two, %z) <{since = 14}>
    : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Mul(%x, %a) <{since = 14}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 1 / 2 is 0.
// CHECK-LABEL: @integers_stay
// CHECK: onnx.Div(
// CHECK: onnx.Mul(
func.func @integers_stay(%x: tensor<?xi64>, %z: tensor<?xi64>) -> tensor<1xf32> {
  %one = onnx.Constant dense<1> : tensor<i64>
  %a = onnx.Div(%one, %z) <{since = 14}>
    : (tensor<i64>, tensor<?xi64>) -> tensor<?xi64>
  %y = onnx.Mul(%x, %a) <{since = 14}>
    : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
