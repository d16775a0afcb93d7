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

// -----

// The graph gives it under a name of its own.
// CHECK-LABEL: @identity_of_an_argument_as_a_result_stays
// CHECK: %[[Y:.*]] = onnx.Identity(%arg0)
// CHECK: return %[[Y]]
func.func @identity_of_an_argument_as_a_result_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = onnx.Identity(%x) <{since = 16}> : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// A constant that others read too would be there twice, were this folded.
// CHECK-LABEL: @identity_of_a_shared_constant
// CHECK: %[[C:.*]] = onnx.Constant
// CHECK-NOT: onnx.Constant
// CHECK: onnx.Custom(%[[C]], %[[C]])
func.func @identity_of_a_shared_constant() -> tensor<1xf32> {
  %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = onnx.Identity(%c) <{since = 16}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%c, %y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
