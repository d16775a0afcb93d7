// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the function body by hand; 1e-9 is lost beside a deviation of 1 in f32.

// CHECK-LABEL: @meanvariancenormalization_13_default_axes
// CHECK{LITERAL}: onnx.Constant dense<[[[[-1.000000e+00]], [[1.000000e+00]]], [[[1.000000e+00]], [[-1.000000e+00]]]]> : tensor<2x2x1x1xf32>
// CHECK-NEXT: return
func.func @meanvariancenormalization_13_default_axes() -> tensor<2x2x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00]], [[7.000000e+00]]], [[[3.000000e+00]], [[5.000000e+00]]]]> : tensor<2x2x1x1xf32>
  %r = onnx.MeanVarianceNormalization(%x0) <{since = 13}> : (tensor<2x2x1x1xf32>) -> tensor<2x2x1x1xf32>
  return %r : tensor<2x2x1x1xf32>
}

// -----

// 0 / (0 + 1e-9)
// CHECK-LABEL: @meanvariancenormalization_13_equal_elements_stays
// CHECK: onnx.MeanVarianceNormalization(
func.func @meanvariancenormalization_13_equal_elements_stays() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<3.000000e+00> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.MeanVarianceNormalization not folded: the variance of group [0, 0] is lost in f32 behind its mean, as in ONNX Runtime}}
  %r = onnx.MeanVarianceNormalization(%x0) <{since = 13}> {axes = array<i64: 1>} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// In f32 the difference of the squares would be 0.
// CHECK-LABEL: @meanvariancenormalization_13_large_mean_stays
// CHECK: onnx.MeanVarianceNormalization(
func.func @meanvariancenormalization_13_large_mean_stays() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[4.096000e+03, 4.098000e+03]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.MeanVarianceNormalization not folded: the variance of group [0, 0] is lost in f32 behind its mean, as in ONNX Runtime}}
  %r = onnx.MeanVarianceNormalization(%x0) <{since = 13}> {axes = array<i64: 1>} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// 1 / (1 + 1e-9), where 1e-9 is an f32.
// CHECK-LABEL: @meanvariancenormalization_13_f64
// CHECK: onnx.Constant dense<{{\[\[}}-0.9999999989999999{{[12]}}, 0.9999999989999999{{[12]}}]]> : tensor<1x2xf64>
// CHECK-NEXT: return
func.func @meanvariancenormalization_13_f64() -> tensor<1x2xf64> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf64>
  %r = onnx.MeanVarianceNormalization(%x0) <{since = 13}> {axes = array<i64: 1>} : (tensor<1x2xf64>) -> tensor<1x2xf64>
  return %r : tensor<1x2xf64>
}

// -----

// 1024^2 is more than f16 holds.
// CHECK-LABEL: @meanvariancenormalization_13_f16_stays
// CHECK: onnx.MeanVarianceNormalization(
func.func @meanvariancenormalization_13_f16_stays() -> tensor<1x2xf16> {
  %x0 = onnx.Constant dense<[[1.024000e+03, 1.026000e+03]]> : tensor<1x2xf16>
  // expected-remark @+1 {{onnx.MeanVarianceNormalization not folded: the variance of group [0, 0] is lost in f32 behind its mean, as in ONNX Runtime}}
  %r = onnx.MeanVarianceNormalization(%x0) <{since = 13}> {axes = array<i64: 1>} : (tensor<1x2xf16>) -> tensor<1x2xf16>
  return %r : tensor<1x2xf16>
}

// -----

// CHECK-LABEL: @meanvariancenormalization_13_empty
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @meanvariancenormalization_13_empty() -> tensor<0x2xf32> {
  %x0 = onnx.Constant dense<> : tensor<0x2xf32>
  %r = onnx.MeanVarianceNormalization(%x0) <{since = 13}> {axes = array<i64: 1>} : (tensor<0x2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// The default axes want four dimensions.
// CHECK-LABEL: @meanvariancenormalization_13_rank_3_stays
// CHECK: onnx.MeanVarianceNormalization(
func.func @meanvariancenormalization_13_rank_3_stays() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 3.000000e+00]]]> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.MeanVarianceNormalization not folded: the axes are [0, 2, 3], expected different ones of 3}}
  %r = onnx.MeanVarianceNormalization(%x0) <{since = 13}> : (tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}
