// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearsigmoid
// CHECK{LITERAL}: onnx.Constant dense<[-128, -109, 0, 120]> : tensor<4xi8>
// CHECK-NEXT: return
func.func @qlinearsigmoid() -> tensor<4xi8> {
  %i0 = onnx.Constant dense<[-128, -5, 0, 7]> : tensor<4xi8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<0> : tensor<i8>
  %i3 = onnx.Constant dense<3.906250e-03> : tensor<f32>
  %i4 = onnx.Constant dense<-128> : tensor<i8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "QLinearSigmoid", since = 1}> : (tensor<4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

// CHECK-LABEL: @qlinearsigmoid_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearsigmoid_input_missing_stays() -> tensor<4xi8> {
  %i0 = onnx.Constant dense<[-128, -5, 0, 7]> : tensor<4xi8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearSigmoid", since = 1}> : (tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}
