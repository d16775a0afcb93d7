// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @fastgelu_1
// CHECK{LITERAL}: onnx.Constant dense<[[3.457140e-01, 3.24843144], [0.579960585, 8.411920e-01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @fastgelu_1() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[5.000000e-01, 3.250000e+00], [7.500000e-01, 1.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "FastGelu", since = 1}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @fastgelu_2
// CHECK{LITERAL}: onnx.Constant dense<[[1.95459771, 2.48491573], [2.22279859, 2.99636269]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @fastgelu_2() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[7.500000e-01, 2.750000e+00], [1.000000e+00, 3.250000e+00]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<[1.250000e+00, -2.500000e-01]> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "FastGelu", since = 1}> : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @fastgelu_input_missing_stays
// CHECK: onnx.Custom(
func.func @fastgelu_input_missing_stays() -> tensor<2x2xf32> {
  // expected-remark @+1 {{onnx.Custom not folded: input #0 is missing}}
  %r = onnx.Custom() <{domain = "com.microsoft", op_type = "FastGelu", since = 1}> : () -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
