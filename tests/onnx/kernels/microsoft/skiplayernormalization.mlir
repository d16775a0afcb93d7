// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @skiplayernormalization
// CHECK{LITERAL}: onnx.Constant dense<[[[-1.73894477, 3.70577908], [-1.38819659, 2.30278635]]]> : tensor<1x2x2xf32>
// CHECK{LITERAL}: onnx.Constant dense<[[[-2.500000e+00, 7.500000e-01], [5.000000e-01, 0.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @skiplayernormalization() -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
  %i0 = onnx.Constant dense<[[[-1.750000e+00, 7.500000e-01], [5.000000e-01, 2.250000e+00]]]> : tensor<1x2x2xf32>
  %i1 = onnx.Constant dense<[[[-2.500000e+00, -1.250000e+00], [-1.750000e+00, -3.500000e+00]]]> : tensor<1x2x2xf32>
  %i2 = onnx.Constant dense<[2.500000e-01, 1.000000e+00]> : tensor<2xf32>
  %i3 = onnx.Constant dense<[-1.500000e+00, 2.750000e+00]> : tensor<2xf32>
  %i4 = onnx.Constant dense<[1.750000e+00, 1.250000e+00]> : tensor<2xf32>
  %r:4 = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "SkipLayerNormalization", since = 1}> {epsilon = 2.500000e-01 : f32} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, none, none, tensor<1x2x2xf32>)
  return %r#0, %r#3 : tensor<1x2x2xf32>, tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @skiplayernormalization_input_missing_stays
// CHECK: onnx.Custom(
func.func @skiplayernormalization_input_missing_stays() -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
  %i0 = onnx.Constant dense<[[[-1.750000e+00, 7.500000e-01], [5.000000e-01, 2.250000e+00]]]> : tensor<1x2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r:4 = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "SkipLayerNormalization", since = 1}> {epsilon = 2.500000e-01 : f32} : (tensor<1x2x2xf32>) -> (tensor<1x2x2xf32>, none, none, tensor<1x2x2xf32>)
  return %r#0, %r#3 : tensor<1x2x2xf32>, tensor<1x2x2xf32>
}
