// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Attributes that are parameters of a function are not known: their operators
// stay, and nobody looks through them.

// CHECK-LABEL: @transpose_by_a_parameter_stays
// CHECK: onnx.Transpose(
// CHECK: %[[Y:.*]] = onnx.Transpose(
// CHECK: onnx.Custom(%[[Y]])
func.func @transpose_by_a_parameter_stays(%x: tensor<2x2x2xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = #onnx.ref<"p", 7>}
    : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %y = onnx.Transpose(%a) <{since = 13}> : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @flatten_by_a_parameter_stays
// CHECK: %[[Y:.*]] = onnx.Flatten(
// CHECK: onnx.Custom(%[[Y]])
func.func @flatten_by_a_parameter_stays(%x: tensor<2x2xf32>) -> tensor<1xf32> {
  %y = onnx.Flatten(%x) <{since = 13}> {axis = #onnx.ref<"p", 2>}
    : (tensor<2x2xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
