// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @skipsimplifiedlayernormalization
// CHECK{LITERAL}: onnx.Constant dense<[[-0.000000e+00, -0.716977119], [-0.000000e+00, 2.69781303]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @skipsimplifiedlayernormalization() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[1.250000e+00, -5.000000e-01], [-1.500000e+00, 5.000000e-01]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<[[-5.000000e+00, 1.500000e+00], [1.000000e+00, -3.250000e+00]]> : tensor<2x2xf32>
  %i2 = onnx.Constant dense<[0.000000e+00, -2.000000e+00]> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "com.microsoft", op_type = "SkipSimplifiedLayerNormalization", since = 1}> {epsilon = 2.500000e-01 : f32} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @skipsimplifiedlayernormalization_input_missing_stays
// CHECK: onnx.Custom(
func.func @skipsimplifiedlayernormalization_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[1.250000e+00, -5.000000e-01], [-1.500000e+00, 5.000000e-01]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "SkipSimplifiedLayerNormalization", since = 1}> {epsilon = 2.500000e-01 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
