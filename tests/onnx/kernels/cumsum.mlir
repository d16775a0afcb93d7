// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.cumsum.

// CHECK-LABEL: @cumsum_negative_axis
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 5.000000e+00, 7.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @cumsum_negative_axis() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<-2> : tensor<i64>
  %r = onnx.CumSum(%x, %y) <{since = 14}> : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @cumsum_i32_wraps
// CHECK: onnx.Constant dense<[2147483647, -2147483648]> : tensor<2xi32>
// CHECK-NEXT: return
func.func @cumsum_i32_wraps() -> tensor<2xi32> {
  %x = onnx.Constant dense<[2147483647, 1]> : tensor<2xi32>
  %y = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.CumSum(%x, %y) <{since = 14}> : (tensor<2xi32>, tensor<i64>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// 2049 is rounded to 2048, but the next sum starts from the exact one.
// CHECK-LABEL: @cumsum_f16_once
// CHECK: onnx.Constant dense<[2.048000e+03, 2.048000e+03, 2.050000e+03]> : tensor<3xf16>
// CHECK-NEXT: return
func.func @cumsum_f16_once() -> tensor<3xf16> {
  %x = onnx.Constant dense<[2.048000e+03, 1.000000e+00, 1.000000e+00]> : tensor<3xf16>
  %y = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.CumSum(%x, %y) <{since = 14}> : (tensor<3xf16>, tensor<i64>) -> tensor<3xf16>
  return %r : tensor<3xf16>
}

// -----

// CHECK-LABEL: @cumsum_nan
// CHECK: onnx.Constant dense<[1.000000e+00, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @cumsum_nan() -> tensor<4xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7F800000, 0x7FC00000, 2.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.CumSum(%x, %y) <{since = 14}> : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @cumsum_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @cumsum_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.CumSum(%x, %y) <{since = 14}> : (tensor<0x2xf32>, tensor<i64>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @cumsum_axis_stays
// CHECK: onnx.CumSum(
func.func @cumsum_axis_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.CumSum not folded: the axes are [1], expected different ones of 1}}
  %r = onnx.CumSum(%x, %y) <{since = 14}> : (tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @cumsum_two_axes_stays
// CHECK: onnx.CumSum(
func.func @cumsum_two_axes_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.CumSum not folded: input #1 has shape [2], expected one element}}
  %r = onnx.CumSum(%x, %y) <{since = 14}> : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @cumsum_rank_0_stays
// CHECK: onnx.CumSum(
func.func @cumsum_rank_0_stays() -> tensor<f32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.CumSum not folded: the axes are [0], expected different ones of 0}}
  %r = onnx.CumSum(%x, %y) <{since = 14}> : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return %r : tensor<f32>
}
