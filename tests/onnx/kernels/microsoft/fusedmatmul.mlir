// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @fusedmatmul_1
// CHECK{LITERAL}: onnx.Constant dense<[[3.593750e+00, -2.968750e+00], [-1.562500e+00, -6.250000e-01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @fusedmatmul_1() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[-3.000000e+00, -2.500000e-01, -1.000000e+00], [1.500000e+00, 5.000000e-01, -3.250000e+00]]> : tensor<2x3xf32>
  %i1 = onnx.Constant dense<[[-2.500000e+00, 1.750000e+00], [1.250000e+00, -1.250000e+00], [-0.000000e+00, 1.000000e+00]]> : tensor<3x2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "FusedMatMul", since = 1}> {alpha = 5.000000e-01 : f32} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @fusedmatmul_2
// CHECK{LITERAL}: onnx.Constant dense<[[[-4.500000e+00, -2.500000e-01], [1.125000e+00, 6.250000e-02]], [[0.000000e+00, -4.812500e+00], [0.000000e+00, 1.375000e+00]], [[3.750000e-01, -6.250000e-01], [1.500000e+00, -2.500000e+00]]]> : tensor<3x2x2xf32>
// CHECK-NEXT: return
func.func @fusedmatmul_2() -> tensor<3x2x2xf32> {
  %i0 = onnx.Constant dense<[[[1.000000e+00], [1.750000e+00], [5.000000e-01]], [[-2.500000e-01], [-5.000000e-01], [2.000000e+00]]]> : tensor<2x3x1xf32>
  %i1 = onnx.Constant dense<[[[-4.500000e+00], [-2.500000e-01]], [[0.000000e+00], [-2.750000e+00]], [[7.500000e-01], [-1.250000e+00]]]> : tensor<3x2x1xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "FusedMatMul", since = 1}> {transB = 1 : i64, transBatchA = 1 : i64} : (tensor<2x3x1xf32>, tensor<3x2x1xf32>) -> tensor<3x2x2xf32>
  return %r : tensor<3x2x2xf32>
}

// -----

// CHECK-LABEL: @fusedmatmul_input_missing_stays
// CHECK: onnx.Custom(
func.func @fusedmatmul_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[-3.000000e+00, -2.500000e-01, -1.000000e+00], [1.500000e+00, 5.000000e-01, -3.250000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "FusedMatMul", since = 1}> {alpha = 5.000000e-01 : f32} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
