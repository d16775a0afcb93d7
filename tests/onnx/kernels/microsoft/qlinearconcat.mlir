// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearconcat
// CHECK{LITERAL}: onnx.Constant dense<[[207, 214, 193], [39, 222, 146]]> : tensor<2x3xui8>
// CHECK-NEXT: return
func.func @qlinearconcat() -> tensor<2x3xui8> {
  %i0 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i1 = onnx.Constant dense<128> : tensor<ui8>
  %i2 = onnx.Constant dense<[[207], [39]]> : tensor<2x1xui8>
  %i3 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i4 = onnx.Constant dense<128> : tensor<ui8>
  %i5 = onnx.Constant dense<[[171, 130], [188, 36]]> : tensor<2x2xui8>
  %i6 = onnx.Constant dense<2.500000e-01> : tensor<f32>
  %i7 = onnx.Constant dense<0> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7) <{domain = "com.microsoft", op_type = "QLinearConcat", since = 1}> {axis = 1 : i64} : (tensor<f32>, tensor<ui8>, tensor<2x1xui8>, tensor<f32>, tensor<ui8>, tensor<2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}

// -----

// CHECK-LABEL: @qlinearconcat_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearconcat_input_missing_stays() -> tensor<2x3xui8> {
  %i0 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  // expected-remark @+1 {{onnx.Custom not folded: there are 1 inputs, expected two, and three for each tensor}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearConcat", since = 1}> {axis = 1 : i64} : (tensor<f32>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}
