// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @trilu_1
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.750000e+00, -5.000000e-01], [0.000000e+00, 0.000000e+00, 1.500000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @trilu_1() -> tensor<2x3xf32> {
  %i0 = onnx.Constant dense<[[-0.000000e+00, 1.750000e+00, -5.000000e-01], [-1.250000e+00, 5.000000e-01, 1.500000e+00]]> : tensor<2x3xf32>
  %i1 = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "Trilu", since = 1}> : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @trilu_2
// CHECK{LITERAL}: onnx.Constant dense<[[8, 0], [0, 8]]> : tensor<2x2xi64>
// CHECK-NEXT: return
func.func @trilu_2() -> tensor<2x2xi64> {
  %i0 = onnx.Constant dense<[[8, 1], [0, 8]]> : tensor<2x2xi64>
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "Trilu", since = 1}> {upper = 0 : i64} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// -----

// CHECK-LABEL: @trilu_input_missing_stays
// CHECK: onnx.Custom(
func.func @trilu_input_missing_stays() -> tensor<2x3xf32> {
  // expected-remark @+1 {{onnx.Custom not folded: input #0 is missing}}
  %r = onnx.Custom() <{domain = "com.microsoft", op_type = "Trilu", since = 1}> : () -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
