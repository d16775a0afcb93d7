// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearaveragepool_1
// CHECK{LITERAL}: onnx.Constant dense<[[[[96, 176]]]]> : tensor<1x1x1x2xui8>
// CHECK-NEXT: return
func.func @qlinearaveragepool_1() -> tensor<1x1x1x2xui8> {
  %i0 = onnx.Constant dense<[[[[92, 138, 137, 198], [17, 135, 215, 156]]]]> : tensor<1x1x2x4xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i4 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearAveragePool", since = 1}> {kernel_shape = array<i64: 2, 2>, strides = array<i64: 1, 2>} : (tensor<1x1x2x4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x1x2xui8>
  return %r : tensor<1x1x1x2xui8>
}

// -----

// CHECK-LABEL: @qlinearaveragepool_2
// CHECK{LITERAL}: onnx.Constant dense<[[[[250], [0]]]]> : tensor<1x1x2x1xui8>
// CHECK-NEXT: return
func.func @qlinearaveragepool_2() -> tensor<1x1x2x1xui8> {
  %i0 = onnx.Constant dense<[[[[142], [8]], [[236], [47]]]]> : tensor<1x2x2x1xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<2.500000e-01> : tensor<f32>
  %i4 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearAveragePool", since = 1}> {channels_last = 1 : i64, kernel_shape = array<i64: 2, 1>} : (tensor<1x2x2x1xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x2x1xui8>
  return %r : tensor<1x1x2x1xui8>
}

// -----

// CHECK-LABEL: @qlinearaveragepool_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearaveragepool_input_missing_stays() -> tensor<1x1x1x2xui8> {
  %i0 = onnx.Constant dense<[[[[92, 138, 137, 198], [17, 135, 215, 156]]]]> : tensor<1x1x2x4xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearAveragePool", since = 1}> {kernel_shape = array<i64: 2, 2>, strides = array<i64: 1, 2>} : (tensor<1x1x2x4xui8>) -> tensor<1x1x1x2xui8>
  return %r : tensor<1x1x1x2xui8>
}

// -----

// It was folded: ONNX Runtime divides the sums of windows beyond the end by other counts.
// CHECK-LABEL: @qlinearaveragepool_counts_beyond_the_end_stays
// CHECK: onnx.Custom(
func.func @qlinearaveragepool_counts_beyond_the_end_stays() -> tensor<1x1x1x2xui8> {
  %i0 = onnx.Constant dense<[[[[92, 138, 137]]]]> : tensor<1x1x1x3xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i4 = onnx.Constant dense<128> : tensor<ui8>
  // expected-remark @+1 {{onnx.Custom not folded: with ceil_mode and count_include_pad ONNX Runtime divides by another count than in AveragePool}}
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearAveragePool", since = 1}> {kernel_shape = array<i64: 1, 2>, strides = array<i64: 1, 2>, ceil_mode = 1 : i64, count_include_pad = 1 : i64} : (tensor<1x1x1x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x1x2xui8>
  return %r : tensor<1x1x1x2xui8>
}
