// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @transposematmul
// CHECK{LITERAL}: onnx.Constant dense<[[-5.375000e+00, 3.875000e+00], [-3.125000e-01, -3.750000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @transposematmul() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[1.750000e+00, -2.500000e-01], [1.250000e+00, 2.500000e+00], [7.500000e-01, -1.750000e+00]]> : tensor<3x2xf32>
  %i1 = onnx.Constant dense<[[-3.000000e+00, 3.500000e+00], [-2.500000e-01, -1.500000e+00], [2.500000e-01, -5.000000e-01]]> : tensor<3x2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "TransposeMatMul", since = 1}> {transA = 1 : i64} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @transposematmul_input_missing_stays
// CHECK: onnx.Custom(
func.func @transposematmul_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[1.750000e+00, -2.500000e-01], [1.250000e+00, 2.500000e+00], [7.500000e-01, -1.750000e+00]]> : tensor<3x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "TransposeMatMul", since = 1}> {transA = 1 : i64} : (tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
