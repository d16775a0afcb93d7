// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values by hand.

// An exchange of rows, and none.
// CHECK-LABEL: @det_f32_batches
// CHECK-DAG: onnx.Constant dense<{{\[\[}}-1.000000e+00], [6.000000e+00]]> : tensor<2x1xf32>
// CHECK-NOT: onnx.Det(
func.func @det_f32_batches() -> tensor<2x1xf32> {
  %x = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00], [1.000000e+00, 0.000000e+00]]], [[[2.000000e+00, 0.000000e+00], [0.000000e+00, 3.000000e+00]]]]> : tensor<2x1x2x2xf32>
  %y = onnx.Det(%x) <{since = 22}> : (tensor<2x1x2x2xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @det_f32_zero_column
// CHECK-DAG: onnx.Constant dense<0.000000e+00> : tensor<f32>
// CHECK-NOT: onnx.Det(
func.func @det_f32_zero_column() -> tensor<f32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 3.000000e+00, 4.000000e+00], [0.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<3x3xf32>
  %y = onnx.Det(%x) <{since = 11}> : (tensor<3x3xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// CHECK-LABEL: @det_f32_one_element
// CHECK-DAG: onnx.Constant dense<[5.000000e+00, 0.000000e+00, 7.000000e+00]> : tensor<3xf32>
// CHECK-NOT: onnx.Det(
func.func @det_f32_one_element() -> tensor<3xf32> {
  %x = onnx.Constant dense<[[[5.000000e+00]], [[-0.000000e+00]], [[7.000000e+00]]]> : tensor<3x1x1xf32>
  %y = onnx.Det(%x) <{since = 11}> : (tensor<3x1x1xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// As numpy has it: the empty product.
// CHECK-LABEL: @det_f32_empty_matrix
// CHECK-DAG: onnx.Constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NOT: onnx.Det(
func.func @det_f32_empty_matrix() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0x0xf32>
  %y = onnx.Det(%x) <{since = 11}> : (tensor<2x0x0xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @det_f32_no_matrices
// CHECK-DAG: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NOT: onnx.Det(
func.func @det_f32_no_matrices() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<0x2x2xf32>
  %y = onnx.Det(%x) <{since = 11}> : (tensor<0x2x2xf32>) -> tensor<0xf32>
  return %y : tensor<0xf32>
}

// -----

// 2047 is an f16.
// CHECK-LABEL: @det_f16
// CHECK-DAG: onnx.Constant dense<2.047000e+03> : tensor<f16>
// CHECK-NOT: onnx.Det(
func.func @det_f16() -> tensor<f16> {
  %x = onnx.Constant dense<[[2.048000e+03, 1.000000e+00], [1.000000e+00, 1.000000e+00]]> : tensor<2x2xf16>
  %y = onnx.Det(%x) <{since = 11}> : (tensor<2x2xf16>) -> tensor<f16>
  return %y : tensor<f16>
}

// -----

// 2^600 * 2^600 * 2^-600
// CHECK-LABEL: @det_f64_overflows_at_the_end_only
// CHECK-DAG: onnx.Constant dense<4.149515568880993E+180> : tensor<f64>
// CHECK-NOT: onnx.Det(
func.func @det_f64_overflows_at_the_end_only() -> tensor<f64> {
  %x = onnx.Constant dense<[[0x6570000000000000, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0x6570000000000000, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0x1A70000000000000]]> : tensor<3x3xf64>
  %y = onnx.Det(%x) <{since = 11}> : (tensor<3x3xf64>) -> tensor<f64>
  return %y : tensor<f64>
}

// -----

// CHECK-LABEL: @det_f32_overflow
// CHECK-DAG: onnx.Constant dense<0x7F800000> : tensor<f32>
// CHECK-NOT: onnx.Det(
func.func @det_f32_overflow() -> tensor<f32> {
  %x = onnx.Constant dense<[[1.000000e+30, 0.000000e+00], [0.000000e+00, 1.000000e+30]]> : tensor<2x2xf32>
  %y = onnx.Det(%x) <{since = 11}> : (tensor<2x2xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @det_f32_nan_stays
// CHECK: onnx.Det(
func.func @det_f32_nan_stays() -> tensor<f32> {
  %x = onnx.Constant dense<[[0x7FC00000, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Det not folded: element [0, 0] of input #0 is NaN, which runtimes do not order in one way}}
  %y = onnx.Det(%x) <{since = 11}> : (tensor<2x2xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// CHECK-LABEL: @det_f32_rectangle_stays
// CHECK: onnx.Det(
func.func @det_f32_rectangle_stays() -> tensor<f32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Det not folded: input #0 has shape [2, 3], expected square matrices}}
  %y = onnx.Det(%x) <{since = 11}> : (tensor<2x3xf32>) -> tensor<f32>
  return %y : tensor<f32>
}
