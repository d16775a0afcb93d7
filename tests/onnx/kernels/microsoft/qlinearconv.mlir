// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qlinearconv_1
// CHECK{LITERAL}: onnx.Constant dense<[[[[188, 135]]]]> : tensor<1x1x1x2xui8>
// CHECK-NEXT: return
func.func @qlinearconv_1() -> tensor<1x1x1x2xui8> {
  %i0 = onnx.Constant dense<[[[[255, 245, 70], [244, 55, 203]]]]> : tensor<1x1x2x3xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<[[[[129, 127], [130, 128]]]]> : tensor<1x1x2x2xui8>
  %i4 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i5 = onnx.Constant dense<128> : tensor<ui8>
  %i6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %i7 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7) <{domain = "com.microsoft", op_type = "QLinearConv", since = 1}> : (tensor<1x1x2x3xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x2x2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x1x2xui8>
  return %r : tensor<1x1x1x2xui8>
}

// -----

// CHECK-LABEL: @qlinearconv_2
// CHECK{LITERAL}: onnx.Constant dense<[[[[151], [114]]]]> : tensor<1x1x2x1xui8>
// CHECK-NEXT: return
func.func @qlinearconv_2() -> tensor<1x1x2x1xui8> {
  %i0 = onnx.Constant dense<[[[[88], [171], [166]], [[216], [97], [240]]]]> : tensor<1x2x3x1xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<[[[[129, 127], [130, 128]]]]> : tensor<1x1x2x2xui8>
  %i4 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i5 = onnx.Constant dense<128> : tensor<ui8>
  %i6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %i7 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7) <{domain = "com.microsoft", op_type = "QLinearConv", since = 1}> {channels_last = 1 : i64} : (tensor<1x2x3x1xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x2x2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x2x1xui8>
  return %r : tensor<1x1x2x1xui8>
}

// -----

// CHECK-LABEL: @qlinearconv_input_missing_stays
// CHECK: onnx.Custom(
func.func @qlinearconv_input_missing_stays() -> tensor<1x1x1x2xui8> {
  %i0 = onnx.Constant dense<[[[[255, 245, 70], [244, 55, 203]]]]> : tensor<1x1x2x3xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QLinearConv", since = 1}> : (tensor<1x1x2x3xui8>) -> tensor<1x1x1x2xui8>
  return %r : tensor<1x1x1x2xui8>
}
