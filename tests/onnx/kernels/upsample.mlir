// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @upsample_v1_nearest
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00], [1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00], [3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00], [3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00]]]]> : tensor<1x1x4x4xf32>
// CHECK-NEXT: return
func.func @upsample_v1_nearest() -> tensor<1x1x4x4xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %r = onnx.Upsample(%x0) <{since = 1}> {height_scale = 2.000000e+00 : f32, width_scale = 2.000000e+00 : f32} : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  return %r : tensor<1x1x4x4xf32>
}

// -----

// CHECK-LABEL: @upsample_v1_bilinear
// CHECK{LITERAL}: onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00]]]]> : tensor<1x1x1x8xf32>
// CHECK-NEXT: return
func.func @upsample_v1_bilinear() -> tensor<1x1x1x8xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 4.000000e+00]]]]> : tensor<1x1x1x2xf32>
  %r = onnx.Upsample(%x0) <{since = 1}> {height_scale = 1.000000e+00 : f32, width_scale = 4.000000e+00 : f32, mode = "bilinear"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x8xf32>
  return %r : tensor<1x1x1x8xf32>
}

// -----

// CHECK-LABEL: @upsample_v7_string
// CHECK{LITERAL}: onnx.Constant dense<["a", "a", "b", "b"]> : tensor<4x!onnx.string>
// CHECK-NEXT: return
func.func @upsample_v7_string() -> tensor<4x!onnx.string> {
  %x0 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %r = onnx.Upsample(%x0) <{since = 7}> {scales = array<f32: 2.000000e+00>} : (tensor<2x!onnx.string>) -> tensor<4x!onnx.string>
  return %r : tensor<4x!onnx.string>
}

// -----

// ONNX Runtime truncates what the evaluator rounds.
// CHECK-LABEL: @upsample_v9_i8_of_fractions_stays
// CHECK: onnx.Upsample(
func.func @upsample_v9_i8_of_fractions_stays() -> tensor<6xi8> {
  %x0 = onnx.Constant dense<[1, 2, 5]> : tensor<3xi8>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Upsample not folded: an element is 1.5}}
  %r = onnx.Upsample(%x0, %x1) <{since = 9}> {mode = "linear"} : (tensor<3xi8>, tensor<1xf32>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}

// -----

// CHECK-LABEL: @upsample_v9_smaller_stays
// CHECK: onnx.Upsample(
func.func @upsample_v9_smaller_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Upsample not folded: a scale is 0.500000, expected 1 or more}}
  %r = onnx.Upsample(%x0, %x1) <{since = 9}> : (tensor<4xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @upsample_v9_nan_stays
// CHECK: onnx.Upsample(
func.func @upsample_v9_nan_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Constant dense<0x7FC00000> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Upsample not folded: a scale is nan, expected 1 or more}}
  %r = onnx.Upsample(%x0, %x1) <{since = 9}> : (tensor<4xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @upsample_v7_bilinear_stays
// CHECK: onnx.Upsample(
func.func @upsample_v7_bilinear_stays() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  // expected-remark @+1 {{onnx.Upsample not folded: attribute 'mode' is 'bilinear', expected nearest or linear}}
  %r = onnx.Upsample(%x0) <{since = 7}> {scales = array<f32: 2.000000e+00>, mode = "bilinear"} : (tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @upsample_v7_count_stays
// CHECK: onnx.Upsample(
func.func @upsample_v7_count_stays() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  // expected-remark @+1 {{onnx.Upsample not folded: there are 2 scales for 1 axes}}
  %r = onnx.Upsample(%x0) <{since = 7}> {scales = array<f32: 2.000000e+00, 2.000000e+00>} : (tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @upsample_v9_scales_stay
// CHECK: onnx.Upsample(
func.func @upsample_v9_scales_stay() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.Upsample not folded: the scales have type f32 and shape [1, 1]}}
  %r = onnx.Upsample(%x0, %x1) <{since = 9}> : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Deprecated, but registered: as version 9.
// CHECK-LABEL: @upsample_v10
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @upsample_v10() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %r = onnx.Upsample(%x0, %x1) <{since = 10}> : (tensor<2xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @upsample_v9_linear_infinity_stays
// CHECK: onnx.Upsample(
func.func @upsample_v9_linear_infinity_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 0xFF800000]> : tensor<2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Upsample not folded: element [1] of input #0 is not finite}}
  %r = onnx.Upsample(%x0, %x1) <{since = 9}> {mode = "linear"} : (tensor<2xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
