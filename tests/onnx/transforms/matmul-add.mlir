// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// MatMul(x, y) + c = Gemm(x, y, c) for matrices
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @bias
// CHECK: %[[B:.*]] = onnx.Constant
// CHECK: %[[Y:.*]] = onnx.Gemm(%arg0, %arg1, %[[B]])
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @bias
// EXACT: onnx.MatMul(
// EXACT: onnx.Add(
func.func @bias(%x: tensor<?x4xf32>, %w: tensor<4x2xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0.5> : tensor<2xf32>
  %a = onnx.MatMul(%x, %w) <{since = 13}>
    : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  %y = onnx.Add(%a, %b) <{since = 14}>
    : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bias_first
// CHECK: onnx.Gemm(%arg0, %arg1, 
func.func @bias_first(%x: tensor<?x4xf32>, %w: tensor<4x2xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0.5> : tensor<1x2xf32>
  %a = onnx.MatMul(%x, %w) <{since = 13}>
    : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  %y = onnx.Add(%b, %a) <{since = 14}>
    : (tensor<1x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Gemm is for matrices.
// CHECK-LABEL: @batches_stay
// CHECK: onnx.MatMul(
// CHECK: onnx.Add(
func.func @batches_stay(%x: tensor<?x3x4xf32>, %w: tensor<4x2xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0.5> : tensor<2xf32>
  %a = onnx.MatMul(%x, %w) <{since = 13}>
    : (tensor<?x3x4xf32>, tensor<4x2xf32>) -> tensor<?x3x2xf32>
  %y = onnx.Add(%a, %b) <{since = 14}>
    : (tensor<?x3x2xf32>, tensor<2xf32>) -> tensor<?x3x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A residual: runtimes add it elsewhere.
// CHECK-LABEL: @no_constant_stays
// CHECK: onnx.MatMul(
// CHECK: onnx.Add(
func.func @no_constant_stays(%x: tensor<?x4xf32>, %w: tensor<4x2xf32>, %b: tensor<?x2xf32>) -> tensor<1xf32> {
  %a = onnx.MatMul(%x, %w) <{since = 13}>
    : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  %y = onnx.Add(%a, %b) <{since = 14}>
    : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
