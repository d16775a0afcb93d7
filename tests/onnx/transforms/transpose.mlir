// RUN: fold-opt %s --onnx-clean-up=disable=transpose-chain --split-input-file | FileCheck %s

// Transpose(x, identity) = x; Transpose(Transpose(x, p), inverse of p) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @transpose_identity
// CHECK: onnx.Custom(%arg0)
func.func @transpose_identity(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %y = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 0, 1>}
    : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @transpose_vector
// CHECK: onnx.Custom(%arg0)
func.func @transpose_vector(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Transpose(%x) <{since = 1}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @transpose_twice_default
// CHECK: onnx.Custom(%arg0)
func.func @transpose_twice_default(%x: tensor<?x?x2xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}>
    : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  %y = onnx.Transpose(%a) <{since = 13}>
    : (tensor<2x?x?xf32>) -> tensor<?x?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @transpose_inverse
// CHECK: onnx.Custom(%arg0)
func.func @transpose_inverse(%x: tensor<2x3x4xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 2, 0>}
    : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %y = onnx.Transpose(%a) <{since = 13}> {perm = array<i64: 2, 0, 1>}
    : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// p is not its own inverse; all shapes are equal.
// CHECK-LABEL: @transpose_cycle_twice_stays
// CHECK: onnx.Transpose(
// CHECK: %[[Y:.*]] = onnx.Transpose(
// CHECK: onnx.Custom(%[[Y]])
func.func @transpose_cycle_twice_stays(%x: tensor<2x2x2xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 2, 0>}
    : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %y = onnx.Transpose(%a) <{since = 13}> {perm = array<i64: 1, 2, 0>}
    : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @transpose_square_stays
// CHECK: %[[Y:.*]] = onnx.Transpose(
// CHECK: onnx.Custom(%[[Y]])
func.func @transpose_square_stays(%x: tensor<3x3xf32>) -> tensor<1xf32> {
  %y = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 0>}
    : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @transpose_default_and_another_stays
// CHECK: onnx.Transpose(
// CHECK: %[[Y:.*]] = onnx.Transpose(
// CHECK: onnx.Custom(%[[Y]])
func.func @transpose_default_and_another_stays(%x: tensor<2x2x2xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}>
    : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %y = onnx.Transpose(%a) <{since = 13}> {perm = array<i64: 1, 0, 2>}
    : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @transpose_unranked_stays
// CHECK: %[[Y:.*]] = onnx.Transpose(
// CHECK: onnx.Custom(%[[Y]])
func.func @transpose_unranked_stays(%x: tensor<*xf32>) -> tensor<1xf32> {
  %y = onnx.Transpose(%x) <{since = 13}>
    : (tensor<*xf32>) -> tensor<*xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<*xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
