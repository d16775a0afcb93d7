// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Reshape, Flatten and Squeeze of Transpose(x, p) = that of x if p moves only axes of size 1; Transpose of Reshape(x, s) or Unsqueeze(x) = Reshape(x, t) or Unsqueeze(x)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @reshape
// CHECK-DAG: %[[T:.*]] = onnx.Constant {{.*}}dense<[0, -1, 3]>
// CHECK: onnx.Reshape(%arg0, %[[T]])
func.func @reshape(%x: tensor<?x1x?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, -1, 3]> : tensor<3xi64>
  %t = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 0, 2, 1, 3>}
    : (tensor<?x1x?x3xf32>) -> tensor<?x?x1x3xf32>
  %y = onnx.Reshape(%t, %s) <{since = 14}> : (tensor<?x?x1x3xf32>, tensor<3xi64>) -> tensor<?x?x3xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x3xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @flatten
// CHECK: onnx.Flatten(%arg0) {{.*}}axis = 1
func.func @flatten(%x: tensor<?x1x?x3xf32>) -> tensor<1xf32> {
  %t = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 0, 2, 1, 3>}
    : (tensor<?x1x?x3xf32>) -> tensor<?x?x1x3xf32>
  %y = onnx.Flatten(%t) <{since = 13}> {axis = 1 : i64} : (tensor<?x?x1x3xf32>) -> tensor<?x?xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @open_sizes_stay
// CHECK: onnx.Transpose(
// CHECK: onnx.Reshape(
func.func @open_sizes_stay(%x: tensor<?x?x?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, -1, 3]> : tensor<3xi64>
  %t = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 0, 2, 1, 3>}
    : (tensor<?x?x?x3xf32>) -> tensor<?x?x?x3xf32>
  %y = onnx.Reshape(%t, %s) <{since = 14}> : (tensor<?x?x?x3xf32>, tensor<3xi64>) -> tensor<?x?x3xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x3xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
