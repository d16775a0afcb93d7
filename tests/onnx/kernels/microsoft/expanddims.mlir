// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @expanddims_1
// CHECK{LITERAL}: onnx.Constant dense<[[[-0.000000e+00, 2.500000e-01]], [[-3.250000e+00, 1.750000e+00]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: return
func.func @expanddims_1() -> tensor<2x1x2xf32> {
  %i0 = onnx.Constant dense<[[-0.000000e+00, 2.500000e-01], [-3.250000e+00, 1.750000e+00]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<1> : tensor<i32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "ExpandDims", since = 1}> : (tensor<2x2xf32>, tensor<i32>) -> tensor<2x1x2xf32>
  return %r : tensor<2x1x2xf32>
}

// -----

// CHECK-LABEL: @expanddims_2
// CHECK{LITERAL}: onnx.Constant dense<[[-1.250000e+00], [-2.250000e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @expanddims_2() -> tensor<2x1xf32> {
  %i0 = onnx.Constant dense<[-1.250000e+00, -2.250000e+00]> : tensor<2xf32>
  %i1 = onnx.Constant dense<-1> : tensor<i32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "ExpandDims", since = 1}> : (tensor<2xf32>, tensor<i32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @expanddims_input_missing_stays
// CHECK: onnx.Custom(
func.func @expanddims_input_missing_stays() -> tensor<2x1x2xf32> {
  %i0 = onnx.Constant dense<[[-0.000000e+00, 2.500000e-01], [-3.250000e+00, 1.750000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "ExpandDims", since = 1}> : (tensor<2x2xf32>) -> tensor<2x1x2xf32>
  return %r : tensor<2x1x2xf32>
}
