// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the text; by hand. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearreducemean
// CHECK{LITERAL}: onnx.Constant dense<[17, 58]> : tensor<2xui8>
// CHECK-NEXT: return
func.func @qlinearreducemean() -> tensor<2xui8> {
  %i0 = onnx.Constant dense<[[10, 20], [30, 41]]> : tensor<2x2xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<8> : tensor<ui8>
  %i3 = onnx.Constant dense<2.500000e-01> : tensor<f32>
  %i4 = onnx.Constant dense<3> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearReduceMean", since = 1}> {axes = array<i64: 1>, keepdims = 0 : i64} : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @qlinearreducemean_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearreducemean_input_missing_stays() -> tensor<2xui8> {
  %i0 = onnx.Constant dense<[[10, 20], [30, 41]]> : tensor<2x2xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearReduceMean", since = 1}> {axes = array<i64: 1>, keepdims = 0 : i64} : (tensor<2x2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}
