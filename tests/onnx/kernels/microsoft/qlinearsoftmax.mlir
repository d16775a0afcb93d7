// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearsoftmax_1
// CHECK{LITERAL}: onnx.Constant dense<[[20, 23, 214], [53, 186, 17]]> : tensor<2x3xui8>
// CHECK-NEXT: return
func.func @qlinearsoftmax_1() -> tensor<2x3xui8> {
  %i0 = onnx.Constant dense<[[179, 183, 255], [70, 110, 34]]> : tensor<2x3xui8>
  %i1 = onnx.Constant dense<3.125000e-02> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<3.906250e-03> : tensor<f32>
  %i4 = onnx.Constant dense<0> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearSoftmax", since = 1}> {opset = 13 : i64} : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}

// -----

// CHECK-LABEL: @qlinearsoftmax_2
// CHECK{LITERAL}: onnx.Constant dense<[[[7, 9], [216, 24]]]> : tensor<1x2x2xui8>
// CHECK-NEXT: return
func.func @qlinearsoftmax_2() -> tensor<1x2x2xui8> {
  %i0 = onnx.Constant dense<[[[3, 11], [114, 44]]]> : tensor<1x2x2xui8>
  %i1 = onnx.Constant dense<3.125000e-02> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<3.906250e-03> : tensor<f32>
  %i4 = onnx.Constant dense<0> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearSoftmax", since = 1}> {axis = 1 : i64, opset = 11 : i64} : (tensor<1x2x2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2xui8>
  return %r : tensor<1x2x2xui8>
}

// -----

// CHECK-LABEL: @qlinearsoftmax_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearsoftmax_input_missing_stays() -> tensor<2x3xui8> {
  %i0 = onnx.Constant dense<[[179, 183, 255], [70, 110, 34]]> : tensor<2x3xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearSoftmax", since = 1}> {opset = 13 : i64} : (tensor<2x3xui8>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}
