// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearadd
// CHECK{LITERAL}: onnx.Constant dense<[[75, 180], [61, 164]]> : tensor<2x2xui8>
// CHECK-NEXT: return
func.func @qlinearadd() -> tensor<2x2xui8> {
  %i0 = onnx.Constant dense<[[75, 220], [47, 187]]> : tensor<2x2xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<[22, 154]> : tensor<2xui8>
  %i4 = onnx.Constant dense<2.500000e-01> : tensor<f32>
  %i5 = onnx.Constant dense<128> : tensor<ui8>
  %i6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %i7 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7) <{domain = "com.microsoft", op_type = "QLinearAdd", since = 1}> : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2x2xui8>
  return %r : tensor<2x2xui8>
}

// -----

// CHECK-LABEL: @qlinearadd_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearadd_input_missing_stays() -> tensor<2x2xui8> {
  %i0 = onnx.Constant dense<[[75, 220], [47, 187]]> : tensor<2x2xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearAdd", since = 1}> : (tensor<2x2xui8>) -> tensor<2x2xui8>
  return %r : tensor<2x2xui8>
}
