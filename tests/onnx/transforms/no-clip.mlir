// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Clip(x, smallest, largest integer) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @bytes
// CHECK-NOT: onnx.Clip(
// CHECK: onnx.Custom(%arg0)
func.func @bytes(%x: tensor<?xui8>) -> tensor<1xf32> {
  %lo = onnx.Constant dense<0> : tensor<ui8>
  %hi = onnx.Constant dense<255> : tensor<ui8>
  %y = onnx.Clip(%x, %lo, %hi) <{since = 13}>
    : (tensor<?xui8>, tensor<ui8>, tensor<ui8>) -> tensor<?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @long_integers
// CHECK-NOT: onnx.Clip(
// CHECK: onnx.Custom(%arg0)
func.func @long_integers(%x: tensor<?xi64>) -> tensor<1xf32> {
  %lo = onnx.Constant dense<-9223372036854775808> : tensor<i64>
  %hi = onnx.Constant dense<9223372036854775807> : tensor<i64>
  %y = onnx.Clip(%x, %lo, %hi) <{since = 13}>
    : (tensor<?xi64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @no_bounds
// CHECK-NOT: onnx.Clip(
// CHECK: onnx.Custom(%arg0)
func.func @no_bounds(%x: tensor<?xi64>) -> tensor<1xf32> {
  %y = onnx.Clip(%x) <{since = 13}>
    : (tensor<?xi64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @upper_alone
// CHECK-NOT: onnx.Clip(
// CHECK: onnx.Custom(%arg0)
func.func @upper_alone(%x: tensor<?xi64>) -> tensor<1xf32> {
  %none = onnx.Absent
  %hi = onnx.Constant dense<9223372036854775807> : tensor<i64>
  %y = onnx.Clip(%x, %none, %hi) <{since = 13}>
    : (tensor<?xi64>, none, tensor<i64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @nearly_all_stays
// CHECK: %[[Y:.*]] = onnx.Clip(
// CHECK: onnx.Custom(%[[Y]])
func.func @nearly_all_stays(%x: tensor<?xi64>) -> tensor<1xf32> {
  %lo = onnx.Constant dense<-9223372036854775807> : tensor<i64>
  %hi = onnx.Constant dense<9223372036854775807> : tensor<i64>
  %y = onnx.Clip(%x, %lo, %hi) <{since = 13}>
    : (tensor<?xi64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bytes_below_stay
// CHECK: %[[Y:.*]] = onnx.Clip(
// CHECK: onnx.Custom(%[[Y]])
func.func @bytes_below_stay(%x: tensor<?xui8>) -> tensor<1xf32> {
  %lo = onnx.Constant dense<0> : tensor<ui8>
  %hi = onnx.Constant dense<254> : tensor<ui8>
  %y = onnx.Clip(%x, %lo, %hi) <{since = 13}>
    : (tensor<?xui8>, tensor<ui8>, tensor<ui8>) -> tensor<?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Infinities become the largest number.

// CHECK-LABEL: @floats_stay
// CHECK: %[[Y:.*]] = onnx.Clip(
// CHECK: onnx.Custom(%[[Y]])
func.func @floats_stay(%x: tensor<?xf32>) -> tensor<1xf32> {
  %lo = onnx.Constant dense<-3.40282347e+38> : tensor<f32>
  %hi = onnx.Constant dense<3.40282347e+38> : tensor<f32>
  %y = onnx.Clip(%x, %lo, %hi) <{since = 13}>
    : (tensor<?xf32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Some runtimes take the largest numbers as bounds then.

// CHECK-LABEL: @floats_without_bounds_stay
// CHECK: %[[Y:.*]] = onnx.Clip(
// CHECK: onnx.Custom(%[[Y]])
func.func @floats_without_bounds_stay(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Clip(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
