// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// LayerNormalization(x, scale) + bias = LayerNormalization(x, scale, bias)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @bias
// CHECK: %[[Y:.*]] = onnx.LayerNormalization(%arg0, %{{.*}}, %{{.*}})
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @bias
// EXACT: onnx.LayerNormalization(
// EXACT: onnx.Add(
func.func @bias(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %g = onnx.Constant dense<2.0> : tensor<8xf32>
  %b = onnx.Constant dense<3.0> : tensor<8xf32>
  %n = onnx.LayerNormalization(%x, %g) <{since = 17}> {axis = -1 : i64}
    : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %y = onnx.Add(%n, %b) <{since = 14}>
    : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @has_one
// CHECK: onnx.LayerNormalization(
// CHECK: onnx.Add(
func.func @has_one(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %g = onnx.Constant dense<2.0> : tensor<8xf32>
  %b = onnx.Constant dense<3.0> : tensor<8xf32>
  %n = onnx.LayerNormalization(%x, %g, %b) <{since = 17}> {axis = -1 : i64}
    : (tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %y = onnx.Add(%n, %b) <{since = 14}>
    : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @one_for_all_stays
// CHECK: onnx.LayerNormalization(
// CHECK: onnx.Add(
func.func @one_for_all_stays(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %g = onnx.Constant dense<2.0> : tensor<8xf32>
  %b = onnx.Constant dense<3.0> : tensor<1xf32>
  %n = onnx.LayerNormalization(%x, %g) <{since = 17}> {axis = -1 : i64}
    : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %y = onnx.Add(%n, %b) <{since = 14}>
    : (tensor<?x8xf32>, tensor<1xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
