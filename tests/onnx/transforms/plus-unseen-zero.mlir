// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// x + 0 = x for floats where x is never -0
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @exp_plus_0
// CHECK-NOT: onnx.Add(
// CHECK: %[[Y:.*]] = onnx.Exp(
// CHECK: onnx.Custom(%[[Y]])
func.func @exp_plus_0(%x: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %b = onnx.Exp(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %s = onnx.Add(%b, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zero_plus_integers
// CHECK-NOT: onnx.Add(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @zero_plus_integers(%x: tensor<?xi64>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %b = onnx.Cast(%x) <{since = 13}> {to = 1 : i64}
    : (tensor<?xi64>) -> tensor<?xf32>
  %s = onnx.Add(%zero, %b) <{since = 14}>
    : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Runtimes give -0 for -0.
// CHECK-LABEL: @relu_plus_0_stays
// CHECK: onnx.Relu(
// CHECK: onnx.Add(
func.func @relu_plus_0_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %b = onnx.Relu(%x) <{since = 14}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %s = onnx.Add(%b, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// It has the sign of its operand.
// CHECK-LABEL: @tanh_of_it_stays
// CHECK: onnx.Add(
// CHECK: onnx.Tanh(
func.func @tanh_of_it_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Tanh(%s) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The graph gives it: -0 + 0 is 0.
// CHECK-LABEL: @somebody_looks
// CHECK: onnx.Add(
func.func @somebody_looks(%x: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
