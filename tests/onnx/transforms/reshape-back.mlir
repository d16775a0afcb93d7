// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Reshape(Reshape(x, s), shape of x) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @reshape_and_back
// CHECK: onnx.Custom(%arg0)
func.func @reshape_and_back(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<6> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>
  %t = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_and_back_dynamic
// CHECK: onnx.Custom(%arg0)
func.func @reshape_and_back_dynamic(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %m = onnx.Constant dense<-1> : tensor<1xi64>
  %a = onnx.Reshape(%x, %m) <{since = 14}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %t = onnx.Shape(%x) <{since = 15}>
    : (tensor<?x?xf32>) -> tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_squeeze
// CHECK: onnx.Custom(%arg0)
func.func @unsqueeze_squeeze(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Unsqueeze(%x, %s) <{since = 13}>
    : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<1x?x3xf32>
  %y = onnx.Squeeze(%a, %s) <{since = 13}>
    : (tensor<1x?x3xf32>, tensor<1xi64>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_squeeze_1
// CHECK: onnx.Custom(%arg0)
func.func @unsqueeze_squeeze_1(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %a = onnx.Unsqueeze(%x) <{since = 1}> {axes = array<i64: 0>}
    : (tensor<?x3xf32>) -> tensor<1x?x3xf32>
  %y = onnx.Squeeze(%a) <{since = 1}> {axes = array<i64: 0>}
    : (tensor<1x?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_to_another_stays
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK: onnx.Custom(%[[Y]])
func.func @reshape_to_another_stays(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<6> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>
  %t = onnx.Constant dense<[3, 2]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_back_of_another_stays
// CHECK: onnx.Reshape(
// CHECK: %[[Y:.*]] = onnx.Reshape(
// CHECK: onnx.Custom(%[[Y]])
func.func @reshape_back_of_another_stays(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
  %m = onnx.Constant dense<-1> : tensor<1xi64>
  %a = onnx.Reshape(%x, %m) <{since = 14}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %t = onnx.Shape(%z) <{since = 15}>
    : (tensor<?x?xf32>) -> tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @transpose_between_stays
// CHECK: %[[Y:.*]] = onnx.Reshape(
// CHECK: onnx.Custom(%[[Y]])
func.func @transpose_between_stays(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}>
    : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %t = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
