// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Pad(x, 0) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @pad_0
// CHECK: onnx.Custom(%arg0)
func.func @pad_0(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<4xi64>
  %y = onnx.Pad(%x, %p) <{since = 13}>
    : (tensor<?x3xf32>, tensor<4xi64>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pad_0_reflect_axes
// CHECK: onnx.Custom(%arg0)
func.func @pad_0_reflect_axes(%x: tensor<4x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<2xi64>
  %v = onnx.Constant dense<1.0> : tensor<f32>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %y = onnx.Pad(%x, %p, %v, %a) <{since = 18}> {mode = "reflect"}
    : (tensor<4x3xf32>, tensor<2xi64>, tensor<f32>, tensor<1xi64>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pad_2
// CHECK: onnx.Custom(%arg0)
func.func @pad_2(%x: tensor<4x3xf32>) -> tensor<1xf32> {
  %y = onnx.Pad(%x) <{since = 2}> {pads = array<i64: 0, 0, 0, 0>}
    : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pad_1_paddings
// CHECK: onnx.Custom(%arg0)
func.func @pad_1_paddings(%x: tensor<4x3xf32>) -> tensor<1xf32> {
  %y = onnx.Pad(%x) <{since = 1}> {paddings = array<i64: 0, 0, 0, 0>}
    : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The shape is the same, the elements move.
// CHECK-LABEL: @pad_shifts_stays
// CHECK: %[[Y:.*]] = onnx.Pad(
// CHECK: onnx.Custom(%[[Y]])
func.func @pad_shifts_stays(%x: tensor<4xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  %y = onnx.Pad(%x, %p) <{since = 13}>
    : (tensor<4xf32>, tensor<2xi64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pad_2_shifts_stays
// CHECK: %[[Y:.*]] = onnx.Pad(
// CHECK: onnx.Custom(%[[Y]])
func.func @pad_2_shifts_stays(%x: tensor<4xf32>) -> tensor<1xf32> {
  %y = onnx.Pad(%x) <{since = 2}> {pads = array<i64: 1, -1>}
    : (tensor<4xf32>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pad_1_shifts_stays
// CHECK: %[[Y:.*]] = onnx.Pad(
// CHECK: onnx.Custom(%[[Y]])
func.func @pad_1_shifts_stays(%x: tensor<4xf32>) -> tensor<1xf32> {
  %y = onnx.Pad(%x) <{since = 1}> {paddings = array<i64: 1, 0>}
    : (tensor<4xf32>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pad_unknown_stays
// CHECK: %[[Y:.*]] = onnx.Pad(
// CHECK: onnx.Custom(%[[Y]])
func.func @pad_unknown_stays(%x: tensor<4xf32>, %p: tensor<2xi64>) -> tensor<1xf32> {
  %y = onnx.Pad(%x, %p) <{since = 13}>
    : (tensor<4xf32>, tensor<2xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
