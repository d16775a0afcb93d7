// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @cdist_1
// CHECK{LITERAL}: onnx.Constant dense<[[2.337500e+01], [1.387500e+01]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @cdist_1() -> tensor<2x1xf32> {
  %i0 = onnx.Constant dense<[[-2.500000e-01, -7.500000e-01, 5.000000e-01], [5.000000e-01, 4.250000e+00, -2.250000e+00]]> : tensor<2x3xf32>
  %i1 = onnx.Constant dense<[[-7.500000e-01, 4.000000e+00, 1.250000e+00]]> : tensor<1x3xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "CDist", since = 1}> : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @cdist_2
// CHECK{LITERAL}: onnx.Constant dense<[[5.000000e+00], [3.60555124]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @cdist_2() -> tensor<2x1xf32> {
  %i0 = onnx.Constant dense<[[0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "CDist", since = 1}> {metric = "euclidean"} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @cdist_input_missing_stays
// CHECK: onnx.Custom(
func.func @cdist_input_missing_stays() -> tensor<2x1xf32> {
  %i0 = onnx.Constant dense<[[-2.500000e-01, -7.500000e-01, 5.000000e-01], [5.000000e-01, 4.250000e+00, -2.250000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "CDist", since = 1}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}
