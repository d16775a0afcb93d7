// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @scaler_scalar
// CHECK{LITERAL}: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @scaler_scalar() -> tensor<f32> {
  %x0 = onnx.Constant dense<3.0> : tensor<f64>
  %r = onnx.ml.Scaler(%x0) <{since = 1}> {offset = array<f32: 1.0>, scale = array<f32: 2.0>} : (tensor<f64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @scaler_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<3.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return
func.func @scaler_rounds_once() -> tensor<1xf32> {
  %x0 = onnx.Constant dense<[16777217.0]> : tensor<1xf64>
  %r = onnx.ml.Scaler(%x0) <{since = 1}> {offset = array<f32: 16777216.0>, scale = array<f32: 3.0>} : (tensor<1xf64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @scaler_missing_scale_stays
// CHECK: onnx.ml.Scaler(
func.func @scaler_missing_scale_stays() -> tensor<1xf32> {
  %x0 = onnx.Constant dense<[1.0]> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ml.Scaler not folded: attributes 'offset' and 'scale' are not lists of one length}}
  %r = onnx.ml.Scaler(%x0) <{since = 1}> {offset = array<f32: 1.0>} : (tensor<1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @scaler_columns_stay
// CHECK: onnx.ml.Scaler(
func.func @scaler_columns_stay() -> tensor<3xf32> {
  %x0 = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.ml.Scaler not folded: 2 offsets for input #0 of shape [3]}}
  %r = onnx.ml.Scaler(%x0) <{since = 1}> {offset = array<f32: 1.0, 2.0>, scale = array<f32: 2.0, 0.5>} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
