// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @range_1
// CHECK{LITERAL}: onnx.Constant dense<[2, 5, 8]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @range_1() -> tensor<3xi64> {
  %i0 = onnx.Constant dense<2> : tensor<i64>
  %i1 = onnx.Constant dense<9> : tensor<i64>
  %i2 = onnx.Constant dense<3> : tensor<i64>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "com.microsoft", op_type = "Range", since = 1}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @range_2
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @range_2() -> tensor<3xf32> {
  %i0 = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %i1 = onnx.Constant dense<4.500000e+00> : tensor<f32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "Range", since = 1}> : (tensor<f32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @range_input_missing_stays
// CHECK: onnx.Custom(
func.func @range_input_missing_stays() -> tensor<3xi64> {
  %i0 = onnx.Constant dense<2> : tensor<i64>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "Range", since = 1}> : (tensor<i64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}
