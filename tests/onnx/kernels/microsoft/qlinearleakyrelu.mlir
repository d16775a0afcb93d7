// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearleakyrelu
// CHECK{LITERAL}: onnx.Constant dense<[146, 74, 255, 255]> : tensor<4xui8>
// CHECK-NEXT: return
func.func @qlinearleakyrelu() -> tensor<4xui8> {
  %i0 = onnx.Constant dense<[137, 19, 227, 246]> : tensor<4xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<2.500000e-01> : tensor<f32>
  %i4 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearLeakyRelu", since = 1}> {alpha = 2.500000e-01 : f32} : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  return %r : tensor<4xui8>
}

// -----

// CHECK-LABEL: @qlinearleakyrelu_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearleakyrelu_input_missing_stays() -> tensor<4xui8> {
  %i0 = onnx.Constant dense<[137, 19, 227, 246]> : tensor<4xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearLeakyRelu", since = 1}> {alpha = 2.500000e-01 : f32} : (tensor<4xui8>) -> tensor<4xui8>
  return %r : tensor<4xui8>
}
