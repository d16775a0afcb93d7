// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @gathernd
// CHECK{LITERAL}: onnx.Constant dense<[5.750000e+00, 2.500000e-01]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @gathernd() -> tensor<2xf32> {
  %i0 = onnx.Constant dense<[[1.250000e+00, 2.750000e+00, 1.000000e+00], [2.500000e-01, -1.750000e+00, 5.750000e+00]]> : tensor<2x3xf32>
  %i1 = onnx.Constant dense<[[1, 2], [-1, 0]]> : tensor<2x2xi64>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "GatherND", since = 1}> : (tensor<2x3xf32>, tensor<2x2xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @gathernd_input_missing_stays
// CHECK: onnx.Custom(
func.func @gathernd_input_missing_stays() -> tensor<2xf32> {
  %i0 = onnx.Constant dense<[[1.250000e+00, 2.750000e+00, 1.000000e+00], [2.500000e-01, -1.750000e+00, 5.750000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "GatherND", since = 1}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
