// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification, by hand: epsilons and variances are chosen so that roots are whole.

// The scale broadcasts.
// CHECK-LABEL: @rmsnormalization_axis_negative_2
// CHECK{LITERAL}: onnx.Constant dense<[[[3.000000e+00, 4.000000e+00], [4.000000e+00, 3.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @rmsnormalization_axis_negative_2() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 4.000000e+00], [4.000000e+00, 3.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<5.000000e+00> : tensor<1xf32>
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> {epsilon = 12.5 : f32, axis = -2 : i64} : (tensor<1x2x2xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// The squares are more than f16 holds; 15360 / sqrt(13107200.5) is 4.2426, and f16 has 4.2421875.
// CHECK-LABEL: @rmsnormalization_f16_does_not_overflow
// CHECK{LITERAL}: onnx.Constant dense<[[4.242190e+00, 5.656250e+00]]> : tensor<1x2xf16>
// CHECK-NEXT: return
func.func @rmsnormalization_f16_does_not_overflow() -> tensor<1x2xf16> {
  %x0 = onnx.Constant dense<[[3.072000e+03, 4.096000e+03]]> : tensor<1x2xf16>
  %x1 = onnx.Constant dense<5.000000e+00> : tensor<2xf16>
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> {epsilon = 0.5 : f32} : (tensor<1x2xf16>, tensor<2xf16>) -> tensor<1x2xf16>
  return %r : tensor<1x2xf16>
}

// -----

// CHECK-LABEL: @rmsnormalization_bf16
// CHECK{LITERAL}: onnx.Constant dense<[[3.000000e+00, 8.000000e+00]]> : tensor<1x2xbf16>
// CHECK-NEXT: return
func.func @rmsnormalization_bf16() -> tensor<1x2xbf16> {
  %x0 = onnx.Constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xbf16>
  %x1 = onnx.Constant dense<[5.000000e+00, 1.000000e+01]> : tensor<2xbf16>
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> {epsilon = 12.5 : f32, stash_type = 10 : i64} : (tensor<1x2xbf16>, tensor<2xbf16>) -> tensor<1x2xbf16>
  return %r : tensor<1x2xbf16>
}

// -----

// CHECK-LABEL: @rmsnormalization_f64
// CHECK{LITERAL}: onnx.Constant dense<[[3.000000e+00, 8.000000e+00]]> : tensor<1x2xf64>
// CHECK-NEXT: return
func.func @rmsnormalization_f64() -> tensor<1x2xf64> {
  %x0 = onnx.Constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf64>
  %x1 = onnx.Constant dense<[5.000000e+00, 1.000000e+01]> : tensor<2xf64>
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> {epsilon = 12.5 : f32, stash_type = 11 : i64} : (tensor<1x2xf64>, tensor<2xf64>) -> tensor<1x2xf64>
  return %r : tensor<1x2xf64>
}

// -----

// CHECK-LABEL: @rmsnormalization_zeros
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, -0.000000e+00]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @rmsnormalization_zeros() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[0.000000e+00, -0.000000e+00]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<[5.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @rmsnormalization_empty
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @rmsnormalization_empty() -> tensor<2x0xf32> {
  %x0 = onnx.Constant dense<> : tensor<2x0xf32>
  %x1 = onnx.Constant dense<> : tensor<0xf32>
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> : (tensor<2x0xf32>, tensor<0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// The text gives the result the type of the scale, inference that of X.
// CHECK-LABEL: @rmsnormalization_two_types_stay
// CHECK: onnx.RMSNormalization(
func.func @rmsnormalization_two_types_stay() -> tensor<1x2xf16> {
  %x0 = onnx.Constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf16>
  %x1 = onnx.Constant dense<[5.000000e+00, 1.000000e+01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.RMSNormalization not folded: input #0 has element type f16, the scale f32, and which one the result has is not clear}}
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> {epsilon = 12.5 : f32} : (tensor<1x2xf16>, tensor<2xf32>) -> tensor<1x2xf16>
  return %r : tensor<1x2xf16>
}

// -----

// CHECK-LABEL: @rmsnormalization_scalar_stays
// CHECK: onnx.RMSNormalization(
func.func @rmsnormalization_scalar_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %x1 = onnx.Constant dense<5.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.RMSNormalization not folded: attribute 'axis' is -1, the rank is 0}}
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> {epsilon = 12.5 : f32} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @rmsnormalization_scale_stays
// CHECK: onnx.RMSNormalization(
func.func @rmsnormalization_scale_stays() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<[[5.000000e+00, 1.000000e+01], [5.000000e+00, 1.000000e+01]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.RMSNormalization not folded: input #1 has shape [2, 2], which does not broadcast to [1, 2]}}
  %r = onnx.RMSNormalization(%x0, %x1) <{since = 23}> {epsilon = 12.5 : f32} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}
