// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// f(x + 0) = f(x) for f that treats -0 as 0
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @abs
// CHECK-NOT: onnx.Add(
// CHECK: onnx.Abs(%arg0)
func.func @abs(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Abs(%s) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @comparison
// CHECK-NOT: onnx.Add(
// CHECK: onnx.Less(%arg1, %arg0)
func.func @comparison(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Less(%z, %s) <{since = 13}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @equal
// CHECK-NOT: onnx.Add(
// CHECK: onnx.Equal(%arg0, %arg1)
func.func @equal(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Equal(%s, %z) <{since = 19}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @to_integers
// CHECK-NOT: onnx.Add(
// CHECK: onnx.Cast(%arg0)
func.func @to_integers(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Cast(%s) <{since = 25}> {to = 6 : i64}
    : (tensor<?xf32>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @to_bool
// CHECK-NOT: onnx.Add(
// CHECK: onnx.Cast(%arg0)
func.func @to_bool(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Cast(%s) <{since = 25}> {to = 9 : i64}
    : (tensor<?xf32>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @softmax
// CHECK-NOT: onnx.Add(
// CHECK: onnx.Softmax(%arg0)
func.func @softmax(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Softmax(%s) <{since = 13}> {axis = 0 : i64}
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @minus_minus_0
// CHECK-NOT: onnx.Sub(
// CHECK: onnx.Exp(%arg0)
func.func @minus_minus_0(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<-0.0> : tensor<f32>
  %s = onnx.Sub(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Exp(%s) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @to_floats_stays
// CHECK: %[[S:.*]] = onnx.Add(
// CHECK: onnx.Cast(%[[S]])
func.func @to_floats_stays(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Cast(%s) <{since = 25}> {to = 11 : i64}
    : (tensor<?xf32>) -> tensor<?xf64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @tanh_stays
// CHECK: %[[S:.*]] = onnx.Add(
// CHECK: onnx.Tanh(%[[S]])
func.func @tanh_stays(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
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

// CHECK-LABEL: @product_stays
// CHECK: %[[S:.*]] = onnx.Add(
// CHECK: onnx.Mul(%[[S]], %arg1)
func.func @product_stays(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Mul(%s, %z) <{since = 14}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Of one element it is x - x, and -0 - 0 is -0.

// CHECK-LABEL: @log_softmax_stays
// CHECK: %[[S:.*]] = onnx.Add(
// CHECK: onnx.LogSoftmax(%[[S]])
func.func @log_softmax_stays(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.LogSoftmax(%s) <{since = 13}> {axis = 0 : i64}
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @a_number_stays
// CHECK: %[[S:.*]] = onnx.Add(
// CHECK: onnx.Abs(%[[S]])
func.func @a_number_stays(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<1.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Abs(%s) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The other reader sees it still.

// CHECK-LABEL: @one_reader_of_two
// CHECK: %[[S:.*]] = onnx.Add(
// CHECK: onnx.Abs(%arg0)
// CHECK: onnx.Tanh(%[[S]])
func.func @one_reader_of_two(%x: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Abs(%s) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %v = onnx.Tanh(%s) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y, %v) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zeros_one_after_the_other
// CHECK-NOT: onnx.Add(
// CHECK: onnx.Abs(%arg0)
func.func @zeros_one_after_the_other(%x: tensor<?xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %s = onnx.Add(%x, %zero) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %u = onnx.Add(%zero, %s) <{since = 14}>
    : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Abs(%u) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
