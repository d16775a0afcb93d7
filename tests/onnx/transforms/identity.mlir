// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Identity(x) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @identity_f32
// CHECK: onnx.Custom(%arg0)
func.func @identity_f32(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %y = onnx.Identity(%x) <{since = 16}>
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @identity_of_identity
// CHECK: onnx.Custom(%arg0)
func.func @identity_of_identity(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Identity(%x) <{since = 1}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Identity(%a) <{since = 14}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @identity_unranked
// CHECK: onnx.Custom(%arg0)
func.func @identity_unranked(%x: tensor<*xf32>) -> tensor<1xf32> {
  %y = onnx.Identity(%x) <{since = 25}>
    : (tensor<*xf32>) -> tensor<*xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<*xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @identity_sequence
// CHECK: onnx.Custom(%arg0)
func.func @identity_sequence(%x: !onnx.seq<tensor<?xf32>>) -> tensor<1xf32> {
  %y = onnx.Identity(%x) <{since = 16}>
    : (!onnx.seq<tensor<?xf32>>) -> !onnx.seq<tensor<?xf32>>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<?xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @identity_optional
// CHECK: onnx.Custom(%arg0)
func.func @identity_optional(%x: !onnx.optional<tensor<?xf32>>) -> tensor<1xf32> {
  %y = onnx.Identity(%x) <{since = 16}>
    : (!onnx.optional<tensor<?xf32>>) -> !onnx.optional<tensor<?xf32>>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.optional<tensor<?xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
