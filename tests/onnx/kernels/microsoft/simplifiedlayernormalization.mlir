// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @simplifiedlayernormalization
// CHECK{LITERAL}: onnx.Constant dense<[[-0.695639431, 0.000000e+00], [0.331042349, -0.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @simplifiedlayernormalization() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[4.750000e+00, 5.000000e-01], [-1.000000e+00, -1.750000e+00]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<[-5.000000e-01, 0.000000e+00]> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "", op_type = "SimplifiedLayerNormalization", since = 17}> {epsilon = 2.500000e-01 : f32} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @simplifiedlayernormalization_input_missing_stays
// CHECK: onnx.Custom(
func.func @simplifiedlayernormalization_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[4.750000e+00, 5.000000e-01], [-1.000000e+00, -1.750000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "", op_type = "SimplifiedLayerNormalization", since = 17}> {epsilon = 2.500000e-01 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
