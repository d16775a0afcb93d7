// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// x and true = x or false = x xor false = x; also bitwise
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @and_true
// CHECK: onnx.Custom(%arg0)
func.func @and_true(%x: tensor<?xi1>) -> tensor<1xf32> {
  %c = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.And(%x, %c) <{since = 7}>
    : (tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @or_false_left
// CHECK: onnx.Custom(%arg0)
func.func @or_false_left(%x: tensor<?xi1>) -> tensor<1xf32> {
  %c = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.Or(%c, %x) <{since = 7}>
    : (tensor<i1>, tensor<?xi1>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @xor_false
// CHECK: onnx.Custom(%arg0)
func.func @xor_false(%x: tensor<?xi1>) -> tensor<1xf32> {
  %c = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.Xor(%x, %c) <{since = 7}>
    : (tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bitwise_or_0
// CHECK: onnx.Custom(%arg0)
func.func @bitwise_or_0(%x: tensor<?xi32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0> : tensor<i32>
  %y = onnx.BitwiseOr(%x, %c) <{since = 18}>
    : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bitwise_xor_0
// CHECK: onnx.Custom(%arg0)
func.func @bitwise_xor_0(%x: tensor<?xui8>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0> : tensor<ui8>
  %y = onnx.BitwiseXor(%c, %x) <{since = 18}>
    : (tensor<ui8>, tensor<?xui8>) -> tensor<?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @and_false_stays
// CHECK: %[[Y:.*]] = onnx.And(
// CHECK: onnx.Custom(%[[Y]])
func.func @and_false_stays(%x: tensor<?xi1>) -> tensor<1xf32> {
  %c = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.And(%x, %c) <{since = 7}>
    : (tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @or_true_stays
// CHECK: %[[Y:.*]] = onnx.Or(
// CHECK: onnx.Custom(%[[Y]])
func.func @or_true_stays(%x: tensor<?xi1>) -> tensor<1xf32> {
  %c = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Or(%x, %c) <{since = 7}>
    : (tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @xor_true_stays
// CHECK: %[[Y:.*]] = onnx.Xor(
// CHECK: onnx.Custom(%[[Y]])
func.func @xor_true_stays(%x: tensor<?xi1>) -> tensor<1xf32> {
  %c = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Xor(%x, %c) <{since = 7}>
    : (tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bitwise_and_1_stays
// CHECK: %[[Y:.*]] = onnx.BitwiseAnd(
// CHECK: onnx.Custom(%[[Y]])
func.func @bitwise_and_1_stays(%x: tensor<?xi32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1> : tensor<i32>
  %y = onnx.BitwiseAnd(%x, %c) <{since = 18}>
    : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @and_true_broadcast_stays
// CHECK: %[[Y:.*]] = onnx.And(
// CHECK: onnx.Custom(%[[Y]])
func.func @and_true_broadcast_stays(%x: tensor<i1>) -> tensor<1xf32> {
  %c = onnx.Constant dense<true> : tensor<2xi1>
  %y = onnx.And(%x, %c) <{since = 7}>
    : (tensor<i1>, tensor<2xi1>) -> tensor<2xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
