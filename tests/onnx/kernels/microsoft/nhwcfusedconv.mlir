// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: a runtime's FusedConv of the image with its channels second; by hand. test_microsoft.py compares more.

// CHECK-LABEL: @nhwcfusedconv
// CHECK{LITERAL}: onnx.Constant dense<[[[[7.062500e+00], [0.000000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: return
func.func @nhwcfusedconv() -> tensor<1x1x2x1xf32> {
  %i0 = onnx.Constant dense<[[[[-5.000000e-01], [7.500000e-01], [5.000000e-01]], [[-2.250000e+00], [1.750000e+00], [-1.250000e+00]]]]> : tensor<1x2x3x1xf32>
  %i1 = onnx.Constant dense<[[[[-2.000000e+00, -1.750000e+00], [-7.500000e-01, 3.250000e+00]]]]> : tensor<1x1x2x2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "NhwcFusedConv", since = 1}> {activation = "Relu"} : (tensor<1x2x3x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %r : tensor<1x1x2x1xf32>
}

// -----

// CHECK-LABEL: @nhwcfusedconv_input_missing_stays
// CHECK: onnx.Custom(
func.func @nhwcfusedconv_input_missing_stays() -> tensor<1x1x2x1xf32> {
  %i0 = onnx.Constant dense<[[[[-5.000000e-01], [7.500000e-01], [5.000000e-01]], [[-2.250000e+00], [1.750000e+00], [-1.250000e+00]]]]> : tensor<1x2x3x1xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "NhwcFusedConv", since = 1}> {activation = "Relu"} : (tensor<1x2x3x1xf32>) -> tensor<1x1x2x1xf32>
  return %r : tensor<1x1x2x1xf32>
}
