// RUN: fold-opt %s --constprop --fold-quantization --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @quantizelinear
// CHECK{LITERAL}: onnx.Constant dense<[[2, -12], [4, -7]]> : tensor<2x2xi8>
// CHECK-NEXT: return
func.func @quantizelinear() -> tensor<2x2xi8> {
  %i0 = onnx.Constant dense<[[5.000000e-01, -2.750000e+00], [1.500000e+00, -1.500000e+00]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
  %i2 = onnx.Constant dense<[1, -1]> : tensor<2xi8>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "com.microsoft", op_type = "QuantizeLinear", since = 1}> {axis = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}

// -----

// CHECK-LABEL: @quantizelinear_input_missing_stays
// CHECK: onnx.Custom(
func.func @quantizelinear_input_missing_stays() -> tensor<2x2xi8> {
  %i0 = onnx.Constant dense<[[5.000000e-01, -2.750000e+00], [1.500000e+00, -1.500000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QuantizeLinear", since = 1}> {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}
