// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Where(true, x, y) = x; Where(false, x, y) = y
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @where_true
// CHECK: onnx.Custom(%arg0)
func.func @where_true(%x: tensor<?x3xf32>, %z: tensor<f32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Where(%c, %x, %z) <{since = 16}>
    : (tensor<i1>, tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @where_false
// CHECK: onnx.Custom(%arg1)
func.func @where_false(%x: tensor<1xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<false> : tensor<3xi1>
  %y = onnx.Where(%c, %x, %z) <{since = 9}>
    : (tensor<3xi1>, tensor<1xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @where_both_stays
// CHECK: %[[Y:.*]] = onnx.Where(
// CHECK: onnx.Custom(%[[Y]])
func.func @where_both_stays(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %y = onnx.Where(%c, %x, %z) <{since = 16}>
    : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @where_true_broadcast_stays
// CHECK: %[[Y:.*]] = onnx.Where(
// CHECK: onnx.Custom(%[[Y]])
func.func @where_true_broadcast_stays(%x: tensor<3xf32>, %z: tensor<2x3xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Where(%c, %x, %z) <{since = 16}>
    : (tensor<i1>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @where_unknown_stays
// CHECK: %[[Y:.*]] = onnx.Where(
// CHECK: onnx.Custom(%[[Y]])
func.func @where_unknown_stays(%c: tensor<i1>, %x: tensor<3xf32>, %z: tensor<3xf32>) -> tensor<1xf32> {
  %y = onnx.Where(%c, %x, %z) <{since = 16}>
    : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
