// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @fusedgemm_1
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 0.000000e+00], [1.562500e+00, 0.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @fusedgemm_1() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[1.750000e+00, 0.000000e+00, 0.000000e+00], [-1.500000e+00, 1.000000e+00, -2.000000e+00]]> : tensor<2x3xf32>
  %i1 = onnx.Constant dense<[[1.250000e+00, 3.000000e+00, -3.000000e+00], [-5.000000e+00, 1.250000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %i2 = onnx.Constant dense<[-2.000000e+00, -2.500000e+00]> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "com.microsoft", op_type = "FusedGemm", since = 1}> {activation = "Relu", alpha = 5.000000e-01 : f32, transB = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @fusedgemm_2
// CHECK{LITERAL}: onnx.Constant dense<[[-1.500000e+00, 3.750000e-01]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @fusedgemm_2() -> tensor<1x2xf32> {
  %i0 = onnx.Constant dense<[[1.250000e+00, -1.750000e+00]]> : tensor<1x2xf32>
  %i1 = onnx.Constant dense<[[-1.000000e+00, -7.500000e-01], [1.000000e+00, -7.500000e-01]]> : tensor<2x2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "FusedGemm", since = 1}> {activation = "LeakyRelu", activation_alpha = 5.000000e-01 : f32} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @fusedgemm_input_missing_stays
// CHECK: onnx.Custom(
func.func @fusedgemm_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[1.750000e+00, 0.000000e+00, 0.000000e+00], [-1.500000e+00, 1.000000e+00, -2.000000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "FusedGemm", since = 1}> {activation = "Relu", alpha = 5.000000e-01 : f32, transB = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
