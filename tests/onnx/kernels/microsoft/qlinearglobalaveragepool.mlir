// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearglobalaveragepool
// CHECK{LITERAL}: onnx.Constant dense<[[[[131]], [[109]]]]> : tensor<1x2x1x1xui8>
// CHECK-NEXT: return
func.func @qlinearglobalaveragepool() -> tensor<1x2x1x1xui8> {
  %i0 = onnx.Constant dense<[[[[89, 172], [118, 146]], [[150, 40], [3, 243]]]]> : tensor<1x2x2x2xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i4 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearGlobalAveragePool", since = 1}> : (tensor<1x2x2x2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x1x1xui8>
  return %r : tensor<1x2x1x1xui8>
}

// -----

// CHECK-LABEL: @qlinearglobalaveragepool_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearglobalaveragepool_input_missing_stays() -> tensor<1x2x1x1xui8> {
  %i0 = onnx.Constant dense<[[[[89, 172], [118, 146]], [[150, 40], [3, 243]]]]> : tensor<1x2x2x2xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearGlobalAveragePool", since = 1}> : (tensor<1x2x2x2xui8>) -> tensor<1x2x1x1xui8>
  return %r : tensor<1x2x1x1xui8>
}
