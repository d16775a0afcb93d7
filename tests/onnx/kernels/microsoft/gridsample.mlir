// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @gridsample
// CHECK{LITERAL}: onnx.Constant dense<[[[[-6.875000e-01, -8.125000e-01]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: return
func.func @gridsample() -> tensor<1x1x1x2xf32> {
  %i0 = onnx.Constant dense<[[[[1.250000e+00, -1.000000e+00], [-3.250000e+00, 2.500000e-01]]]]> : tensor<1x1x2x2xf32>
  %i1 = onnx.Constant dense<[[[[0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "GridSample", since = 1}> : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x2xf32>
  return %r : tensor<1x1x1x2xf32>
}

// -----

// CHECK-LABEL: @gridsample_input_missing_stays
// CHECK: onnx.Custom(
func.func @gridsample_input_missing_stays() -> tensor<1x1x1x2xf32> {
  %i0 = onnx.Constant dense<[[[[1.250000e+00, -1.000000e+00], [-3.250000e+00, 2.500000e-01]]]]> : tensor<1x1x2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "GridSample", since = 1}> : (tensor<1x1x2x2xf32>) -> tensor<1x1x1x2xf32>
  return %r : tensor<1x1x1x2xf32>
}
