// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @pad_1
// CHECK{LITERAL}: onnx.Constant dense<[[7.000000e+00, 5.000000e-01, -1.250000e+00], [7.000000e+00, 7.000000e+00, 7.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @pad_1() -> tensor<2x3xf32> {
  %i0 = onnx.Constant dense<[[5.000000e-01, -1.250000e+00]]> : tensor<1x2xf32>
  %i1 = onnx.Constant dense<[[0, 1, 1, 0]]> : tensor<1x4xi64>
  %i2 = onnx.Constant dense<7.000000e+00> : tensor<f32>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "com.microsoft", op_type = "Pad", since = 1}> : (tensor<1x2xf32>, tensor<1x4xi64>, tensor<f32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @pad_2
// CHECK{LITERAL}: onnx.Constant dense<[[-2.500000e-01, -2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01, -2.500000e-01]]> : tensor<1x6xf32>
// CHECK-NEXT: return
func.func @pad_2() -> tensor<1x6xf32> {
  %i0 = onnx.Constant dense<[[-2.500000e-01, -2.500000e-01, 2.500000e-01]]> : tensor<1x3xf32>
  %i1 = onnx.Constant dense<[0, 1, 0, 2]> : tensor<4xi64>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "Pad", since = 1}> {mode = "reflect"} : (tensor<1x3xf32>, tensor<4xi64>) -> tensor<1x6xf32>
  return %r : tensor<1x6xf32>
}

// -----

// CHECK-LABEL: @pad_input_missing_stays
// CHECK: onnx.Custom(
func.func @pad_input_missing_stays() -> tensor<2x3xf32> {
  %i0 = onnx.Constant dense<[[5.000000e-01, -1.250000e+00]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "Pad", since = 1}> : (tensor<1x2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
