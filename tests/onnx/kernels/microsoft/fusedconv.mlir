// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @fusedconv
// CHECK{LITERAL}: onnx.Constant dense<-1.000000e+00> : tensor<1x1x1x2xf32>
// CHECK-NEXT: return
func.func @fusedconv() -> tensor<1x1x1x2xf32> {
  %i0 = onnx.Constant dense<[[[[5.000000e-01, -2.500000e-01, -1.750000e+00], [-7.500000e-01, -2.000000e+00, 0.000000e+00]]]]> : tensor<1x1x2x3xf32>
  %i1 = onnx.Constant dense<[[[[-2.250000e+00, -2.250000e+00], [3.000000e+00, -0.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %i2 = onnx.Constant dense<-0.000000e+00> : tensor<1xf32>
  %i3 = onnx.Constant dense<[[[[1.000000e+00, -7.500000e-01]]]]> : tensor<1x1x1x2xf32>
  %r = onnx.Custom(%i0, %i1, %i2, %i3) <{domain = "com.microsoft", op_type = "FusedConv", since = 1}> {activation = "Clip", activation_params = array<f32: -1.000000e+00, 4.000000e+00>} : (tensor<1x1x2x3xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %r : tensor<1x1x1x2xf32>
}

// -----

// CHECK-LABEL: @fusedconv_input_missing_stays
// CHECK: onnx.Custom(
func.func @fusedconv_input_missing_stays() -> tensor<1x1x1x2xf32> {
  %i0 = onnx.Constant dense<[[[[5.000000e-01, -2.500000e-01, -1.750000e+00], [-7.500000e-01, -2.000000e+00, 0.000000e+00]]]]> : tensor<1x1x2x3xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "FusedConv", since = 1}> {activation = "Clip", activation_params = array<f32: -1.000000e+00, 4.000000e+00>} : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x2xf32>
  return %r : tensor<1x1x1x2xf32>
}
