// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification, by hand.

// Sums of squares: 2, 3, 6, 5; with bias 1: 3, 4, 7, 6.
// CHECK-LABEL: @lrn_13_odd_size
// CHECK{LITERAL}: onnx.Constant dense<[[[[0.333333343]], [[2.500000e-01]], [[0.142857149]], [[0.333333343]]]]> : tensor<1x4x1x1xf32>
// CHECK-NEXT: return
func.func @lrn_13_odd_size() -> tensor<1x4x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00]], [[1.000000e+00]], [[1.000000e+00]], [[2.000000e+00]]]]> : tensor<1x4x1x1xf32>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 3 : i64, alpha = 3.0 : f32, beta = 1.0 : f32} : (tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  return %r : tensor<1x4x1x1xf32>
}

// -----

// No channel before and one after: 2, 2, 5, 4.
// CHECK-LABEL: @lrn_1_even_size_looks_ahead
// CHECK{LITERAL}: onnx.Constant dense<[[[[0.333333343]], [[0.333333343]], [[0.166666672]], [[4.000000e-01]]]]> : tensor<1x4x1x1xf32>
// CHECK-NEXT: return
func.func @lrn_1_even_size_looks_ahead() -> tensor<1x4x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00]], [[1.000000e+00]], [[1.000000e+00]], [[2.000000e+00]]]]> : tensor<1x4x1x1xf32>
  %r = onnx.LRN(%x0) <{since = 1}> {size = 2 : i64, alpha = 2.0 : f32, beta = 1.0 : f32} : (tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  return %r : tensor<1x4x1x1xf32>
}

// -----

// One channel before and two after: 3, 7, 6, 5, 4.
// CHECK-LABEL: @lrn_13_size_4
// CHECK{LITERAL}: onnx.Constant dense<[[[[2.500000e-01]], [[1.250000e-01]], [[0.142857149]], [[0.333333343]], [[0.000000e+00]]]]> : tensor<1x5x1x1xf32>
// CHECK-NEXT: return
func.func @lrn_13_size_4() -> tensor<1x5x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00]], [[1.000000e+00]], [[1.000000e+00]], [[2.000000e+00]], [[0.000000e+00]]]]> : tensor<1x5x1x1xf32>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 4 : i64, alpha = 4.0 : f32, beta = 1.0 : f32} : (tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  return %r : tensor<1x5x1x1xf32>
}

// -----

// CHECK-LABEL: @lrn_13_size_beyond_all_channels
// CHECK{LITERAL}: onnx.Constant dense<2.500000e-01> : tensor<1x3x1x1xf32>
// CHECK-NEXT: return
func.func @lrn_13_size_beyond_all_channels() -> tensor<1x3x1x1xf32> {
  %x0 = onnx.Constant dense<1.000000e+00> : tensor<1x3x1x1xf32>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 9 : i64, alpha = 9.0 : f32, beta = 1.0 : f32} : (tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  return %r : tensor<1x3x1x1xf32>
}

// -----

// What is added to 1 is too little for an f32.
// CHECK-LABEL: @lrn_13_enormous_size
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00]], [[2.000000e+00]]]]> : tensor<1x2x1x1xf32>
// CHECK-NEXT: return
func.func @lrn_13_enormous_size() -> tensor<1x2x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00]], [[2.000000e+00]]]]> : tensor<1x2x1x1xf32>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 4611686018427387904 : i64, alpha = 1.0 : f32, beta = 1.0 : f32} : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  return %r : tensor<1x2x1x1xf32>
}

// -----

// 3 / sqrt(16 + 9)
// CHECK-LABEL: @lrn_13_bias_and_beta
// CHECK{LITERAL}: onnx.Constant dense<6.000000e-01> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @lrn_13_bias_and_beta() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<3.000000e+00> : tensor<1x1x1x1xf32>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 1 : i64, alpha = 1.0 : f32, beta = 0.5 : f32, bias = 16.0 : f32} : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @lrn_13_no_dimensions_after_channels
// CHECK{LITERAL}: onnx.Constant dense<[[0.166666672, 0.333333343]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @lrn_13_no_dimensions_after_channels() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 3 : i64, alpha = 3.0 : f32, beta = 1.0 : f32} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// 256^2 is more than f16 holds.
// CHECK-LABEL: @lrn_13_f16_does_not_overflow
// CHECK{LITERAL}: onnx.Constant dense<3.906250e-03> : tensor<1x1x1x1xf16>
// CHECK-NEXT: return
func.func @lrn_13_f16_does_not_overflow() -> tensor<1x1x1x1xf16> {
  %x0 = onnx.Constant dense<2.560000e+02> : tensor<1x1x1x1xf16>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 1 : i64, alpha = 1.0 : f32, beta = 1.0 : f32} : (tensor<1x1x1x1xf16>) -> tensor<1x1x1x1xf16>
  return %r : tensor<1x1x1x1xf16>
}

// -----

// CHECK-LABEL: @lrn_13_nan
// CHECK: onnx.Constant dense<{{\[\[\[\[}}0x{{[7F]}}FC00000]], {{\[\[}}0x{{[7F]}}FC00000]], {{\[\[}}0.333333343]]]]> : tensor<1x3x1x1xf32>
// CHECK-NEXT: return
func.func @lrn_13_nan() -> tensor<1x3x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0x7FC00000]], [[1.000000e+00]], [[1.000000e+00]]]]> : tensor<1x3x1x1xf32>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 3 : i64, alpha = 3.0 : f32, beta = 1.0 : f32} : (tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  return %r : tensor<1x3x1x1xf32>
}

// -----

// CHECK-LABEL: @lrn_13_empty
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<1x0x2xf32>
// CHECK-NEXT: return
func.func @lrn_13_empty() -> tensor<1x0x2xf32> {
  %x0 = onnx.Constant dense<> : tensor<1x0x2xf32>
  %r = onnx.LRN(%x0) <{since = 13}> {size = 3 : i64} : (tensor<1x0x2xf32>) -> tensor<1x0x2xf32>
  return %r : tensor<1x0x2xf32>
}

// -----

// CHECK-LABEL: @lrn_13_size_0_stays
// CHECK: onnx.LRN(
func.func @lrn_13_size_0_stays() -> tensor<1x2x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00]], [[2.000000e+00]]]]> : tensor<1x2x1x1xf32>
  // expected-remark @+1 {{onnx.LRN not folded: input #0 has shape [1, 2, 1, 1], attribute 'size' is 0}}
  %r = onnx.LRN(%x0) <{since = 13}> {size = 0 : i64} : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  return %r : tensor<1x2x1x1xf32>
}

// -----

// CHECK-LABEL: @lrn_13_vector_stays
// CHECK: onnx.LRN(
func.func @lrn_13_vector_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.LRN not folded: input #0 has shape [2], attribute 'size' is 3}}
  %r = onnx.LRN(%x0) <{since = 13}> {size = 3 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
