// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Where(c, x, x) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @where_same
// CHECK: onnx.Custom(%arg1)
func.func @where_same(%c: tensor<i1>, %x: tensor<?x3xf32>) -> tensor<1xf32> {
  %y = onnx.Where(%c, %x, %x) <{since = 16}>
    : (tensor<i1>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @where_same_like_condition
// CHECK: onnx.Custom(%arg1)
func.func @where_same_like_condition(%c: tensor<2x3xi1>, %x: tensor<2x3xf32>) -> tensor<1xf32> {
  %y = onnx.Where(%c, %x, %x) <{since = 9}>
    : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @where_others_stays
// CHECK: %[[Y:.*]] = onnx.Where(
// CHECK: onnx.Custom(%[[Y]])
func.func @where_others_stays(%c: tensor<i1>, %x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %y = onnx.Where(%c, %x, %z) <{since = 16}>
    : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @where_broadcast_stays
// CHECK: %[[Y:.*]] = onnx.Where(
// CHECK: onnx.Custom(%[[Y]])
func.func @where_broadcast_stays(%c: tensor<2x3xi1>, %x: tensor<3xf32>) -> tensor<1xf32> {
  %y = onnx.Where(%c, %x, %x) <{since = 16}>
    : (tensor<2x3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
