// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Neg(Neg(x)) = Not(Not(x)) = BitwiseNot(BitwiseNot(x)) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @neg_neg_f32
// CHECK: onnx.Custom(%arg0)
func.func @neg_neg_f32(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Neg(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Neg(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @neg_neg_i8
// CHECK: onnx.Custom(%arg0)
func.func @neg_neg_i8(%x: tensor<?xi8>) -> tensor<1xf32> {
  %a = onnx.Neg(%x) <{since = 6}>
    : (tensor<?xi8>) -> tensor<?xi8>
  %y = onnx.Neg(%a) <{since = 6}>
    : (tensor<?xi8>) -> tensor<?xi8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @not_not
// CHECK: onnx.Custom(%arg0)
func.func @not_not(%x: tensor<?xi1>) -> tensor<1xf32> {
  %a = onnx.Not(%x) <{since = 1}>
    : (tensor<?xi1>) -> tensor<?xi1>
  %y = onnx.Not(%a) <{since = 1}>
    : (tensor<?xi1>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bitwise_not_not
// CHECK: onnx.Custom(%arg0)
func.func @bitwise_not_not(%x: tensor<?xui8>) -> tensor<1xf32> {
  %a = onnx.BitwiseNot(%x) <{since = 18}>
    : (tensor<?xui8>) -> tensor<?xui8>
  %y = onnx.BitwiseNot(%a) <{since = 18}>
    : (tensor<?xui8>) -> tensor<?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @neg_once_stays
// CHECK: %[[Y:.*]] = onnx.Neg(
// CHECK: onnx.Custom(%[[Y]])
func.func @neg_once_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Neg(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// It rounds.
// CHECK-LABEL: @reciprocal_twice_stays
// CHECK: onnx.Reciprocal(
// CHECK: %[[Y:.*]] = onnx.Reciprocal(
// CHECK: onnx.Custom(%[[Y]])
func.func @reciprocal_twice_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Reciprocal(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Reciprocal(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @neg_abs_stays
// CHECK: %[[Y:.*]] = onnx.Neg(
// CHECK: onnx.Custom(%[[Y]])
func.func @neg_abs_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Abs(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Neg(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
