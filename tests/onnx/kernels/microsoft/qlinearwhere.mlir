// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearwhere
// CHECK{LITERAL}: onnx.Constant dense<[[190, 186], [160, 186]]> : tensor<2x2xui8>
// CHECK-NEXT: return
func.func @qlinearwhere() -> tensor<2x2xui8> {
  %i0 = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %i1 = onnx.Constant dense<[[190, 49], [160, 137]]> : tensor<2x2xui8>
  %i2 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i3 = onnx.Constant dense<128> : tensor<ui8>
  %i4 = onnx.Constant dense<[84, 115]> : tensor<2xui8>
  %i5 = onnx.Constant dense<2.500000e-01> : tensor<f32>
  %i6 = onnx.Constant dense<0> : tensor<ui8>
  %i7 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i8 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7, %i8) <{domain = "com.microsoft", op_type = "QLinearWhere", since = 1}> : (tensor<2xi1>, tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2x2xui8>
  return %r : tensor<2x2xui8>
}

// -----

// CHECK-LABEL: @qlinearwhere_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearwhere_input_missing_stays() -> tensor<2x2xui8> {
  %i0 = onnx.Constant dense<[true, false]> : tensor<2xi1>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearWhere", since = 1}> : (tensor<2xi1>) -> tensor<2x2xui8>
  return %r : tensor<2x2xui8>
}
