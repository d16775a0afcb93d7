// RUN: fold-opt %s --onnx-clean-up=disable=transpose-around --split-input-file | FileCheck %s

// Transpose(Transpose(x, p), q) = Transpose(x, p[q])
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @composed
// CHECK: %[[Y:.*]] = onnx.Transpose(%arg0)
// CHECK-SAME: perm = array<i64: 1, 0, 2>
// CHECK: onnx.Custom(%[[Y]])
func.func @composed(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 2, 0>}
    : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = onnx.Transpose(%a) <{since = 13}> {perm = array<i64: 0, 2, 1>}
    : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reversed_by_default
// CHECK: %[[Y:.*]] = onnx.Transpose(%arg0)
// CHECK-SAME: perm = array<i64: 0, 2, 1>
// CHECK: onnx.Custom(%[[Y]])
func.func @reversed_by_default(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 2, 0>}
    : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = onnx.Transpose(%a) <{since = 13}>
    : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @relu_between_stays
// CHECK: onnx.Transpose(%arg0
// CHECK: onnx.Relu(
// CHECK: onnx.Transpose(
func.func @relu_between_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}>
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = onnx.Relu(%a) <{since = 14}>
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = onnx.Transpose(%b) <{since = 13}>
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Relu(%c) <{since = 14}>
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
