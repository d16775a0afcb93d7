// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @layernormalization
// CHECK{LITERAL}: onnx.Constant dense<[[-1.71737623, -1.71737623], [-2.92443728, -2.92443728]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @layernormalization() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[-7.500000e-01, -2.500000e-01], [5.000000e-01, 2.500000e-01]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<[-1.750000e+00, 1.750000e+00]> : tensor<2xf32>
  %i2 = onnx.Constant dense<-2.500000e+00> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "", op_type = "LayerNormalization", since = 14}> {epsilon = 2.500000e-01 : f32} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @layernormalization_input_missing_stays
// CHECK: onnx.Custom(
func.func @layernormalization_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[-7.500000e-01, -2.500000e-01], [5.000000e-01, 2.500000e-01]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "", op_type = "LayerNormalization", since = 14}> {epsilon = 2.500000e-01 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
