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

// -----

// A sum is -0 only where both are.

// CHECK-LABEL: @sum_plus_0
// CHECK: %[[B:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[B]])
func.func @sum_plus_0(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<f32>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %b = onnx.Add(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %s = onnx.Add(%b, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @difference_plus_0
// CHECK: %[[B:.*]] = onnx.Sub(
// CHECK: onnx.Custom(%[[B]])
func.func @difference_plus_0(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<f32>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %b = onnx.Sub(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %s = onnx.Add(%b, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_minus_minus_0
// CHECK: %[[B:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[B]])
func.func @sum_minus_minus_0(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<f32>
  %zero = onnx.Constant dense<-0.0> : tensor<f32>
  %b = onnx.Add(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %s = onnx.Sub(%b, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @product_plus_0_stays
// CHECK: %[[B:.*]] = onnx.Mul(
// CHECK: onnx.Add(%[[B]]
func.func @product_plus_0_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<2.0> : tensor<f32>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %b = onnx.Mul(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %s = onnx.Add(%b, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sigmoid_plus_0
// CHECK: %[[B:.*]] = onnx.Sigmoid(
// CHECK: onnx.Custom(%[[B]])
func.func @sigmoid_plus_0(%x: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %b = onnx.Sigmoid(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %s = onnx.Add(%b, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_with_minus_0_stays
// CHECK: %[[B:.*]] = onnx.Add(
// CHECK: onnx.Add(%[[B]]
func.func @sum_with_minus_0_stays(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[-0.0, 1.0]> : tensor<2xf32>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %b = onnx.Add(%z, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = onnx.Add(%b, %zero) <{since = 14}>
    : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
