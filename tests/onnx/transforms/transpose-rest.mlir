// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// Reshape(Transpose(x, p), s) = Reshape(x, t) if p moves only axes of size 1
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @rest
// CHECK-NOT: onnx.Transpose(
// CHECK: %[[T:.*]] = onnx.Constant dense<[0, -1, 8]> : tensor<3xi64>
// CHECK: onnx.Reshape(%arg0, %[[T]])
// EXACT-LABEL: @rest
// EXACT: onnx.Transpose(
func.func @rest(%x: tensor<?x1x?x8xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[0, 0, 8]> : tensor<3xi64>
  %q = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 0, 2, 1, 3>}
    : (tensor<?x1x?x8xf32>) -> tensor<?x?x1x8xf32>
  %y = onnx.Reshape(%q, %t) <{since = 14}>
    : (tensor<?x?x1x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// There is one rest, and two sizes that would have to be it.
// CHECK-LABEL: @two_rests_stay
// CHECK: onnx.Transpose(
// CHECK: onnx.Reshape(
func.func @two_rests_stay(%x: tensor<1x?x?x8xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[0, 0, 8]> : tensor<3xi64>
  %q = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 2, 0, 3>}
    : (tensor<1x?x?x8xf32>) -> tensor<?x?x1x8xf32>
  %y = onnx.Reshape(%q, %t) <{since = 14}>
    : (tensor<?x?x1x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @open_axes_stay
// CHECK: onnx.Transpose(
// CHECK: onnx.Reshape(
func.func @open_axes_stay(%x: tensor<?x?x?x8xf32>) -> tensor<1xf32> {
  %t = onnx.Constant dense<[0, 0, -1]> : tensor<3xi64>
  %q = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 0, 2, 1, 3>}
    : (tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32>
  %y = onnx.Reshape(%q, %t) <{since = 14}>
    : (tensor<?x?x?x8xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
