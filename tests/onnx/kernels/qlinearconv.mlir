// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, product by product.
// Rounding is half to even, before the zero point is added.

// 0.5 becomes 0, then 1: adding the zero point first would give 2.
// CHECK-LABEL: @qlinearconv
// CHECK{LITERAL}: onnx.Constant dense<[[[1, 1, 2, 123], [1, 3, 4, 255]]]> : tensor<1x2x4xui8>
// CHECK-NEXT: return
func.func @qlinearconv() -> tensor<1x2x4xui8> {
  %x0 = onnx.Constant dense<[[[10, 11, 12, 255]]]> : tensor<1x1x4xui8>
  %x1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %x2 = onnx.Constant dense<10> : tensor<ui8>
  %x3 = onnx.Constant dense<[[[3]], [[5]]]> : tensor<2x1x1xui8>
  %x4 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x5 = onnx.Constant dense<2> : tensor<ui8>
  %x6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x7 = onnx.Constant dense<1> : tensor<ui8>
  %r = onnx.QLinearConv(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 10}> : (tensor<1x1x4xui8>, tensor<f32>, tensor<ui8>, tensor<2x1x1xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4xui8>
  return %r : tensor<1x2x4xui8>
}

// -----

// CHECK-LABEL: @qlinearconv_by_filter_and_bias
// CHECK{LITERAL}: onnx.Constant dense<[[[4, 4, 5, 65], [0, 1, 2, 255]]]> : tensor<1x2x4xui8>
// CHECK-NEXT: return
func.func @qlinearconv_by_filter_and_bias() -> tensor<1x2x4xui8> {
  %x0 = onnx.Constant dense<[[[10, 11, 12, 255]]]> : tensor<1x1x4xui8>
  %x1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %x2 = onnx.Constant dense<10> : tensor<ui8>
  %x3 = onnx.Constant dense<[[[3]], [[5]]]> : tensor<2x1x1xui8>
  %x4 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x5 = onnx.Constant dense<2> : tensor<2xui8>
  %x6 = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %x7 = onnx.Constant dense<3> : tensor<ui8>
  %x8 = onnx.Constant dense<[4, -8]> : tensor<2xi32>
  %r = onnx.QLinearConv(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8) <{since = 10}> : (tensor<1x1x4xui8>, tensor<f32>, tensor<ui8>, tensor<2x1x1xui8>, tensor<2xf32>, tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<2xi32>) -> tensor<1x2x4xui8>
  return %r : tensor<1x2x4xui8>
}

// -----

// The stored expectation of 1.21 wrapped.
// CHECK-LABEL: @qlinearconv_i8_saturates
// CHECK{LITERAL}: onnx.Constant dense<[[[127, 127, 127, -25]]]> : tensor<1x1x4xi8>
// CHECK-NEXT: return
func.func @qlinearconv_i8_saturates() -> tensor<1x1x4xi8> {
  %x0 = onnx.Constant dense<[[[10, 11, 12, -1]]]> : tensor<1x1x4xi8>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x2 = onnx.Constant dense<0> : tensor<i8>
  %x3 = onnx.Constant dense<20> : tensor<1x1x1xi8>
  %x4 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x5 = onnx.Constant dense<0> : tensor<i8>
  %x6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x7 = onnx.Constant dense<-5> : tensor<i8>
  %r = onnx.QLinearConv(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 10}> : (tensor<1x1x4xi8>, tensor<f32>, tensor<i8>, tensor<1x1x1xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x1x4xi8>
  return %r : tensor<1x1x4xi8>
}

// -----

// CHECK-LABEL: @qlinearconv_nan_stays
// CHECK: onnx.QLinearConv(
func.func @qlinearconv_nan_stays() -> tensor<1x2x4xui8> {
  %x0 = onnx.Constant dense<[[[10, 11, 12, 255]]]> : tensor<1x1x4xui8>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %x2 = onnx.Constant dense<10> : tensor<ui8>
  %x3 = onnx.Constant dense<[[[3]], [[5]]]> : tensor<2x1x1xui8>
  %x4 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x5 = onnx.Constant dense<2> : tensor<ui8>
  %x6 = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %x7 = onnx.Constant dense<1> : tensor<ui8>
  // expected-remark @+1 {{onnx.QLinearConv not folded: element [0, 0, 0] divided by its scale is NaN}}
  %r = onnx.QLinearConv(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 10}> : (tensor<1x1x4xui8>, tensor<f32>, tensor<ui8>, tensor<2x1x1xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4xui8>
  return %r : tensor<1x2x4xui8>
}

// -----

// CHECK-LABEL: @qlinearconv_scale_stays
// CHECK: onnx.QLinearConv(
func.func @qlinearconv_scale_stays() -> tensor<1x2x4xui8> {
  %x0 = onnx.Constant dense<[[[10, 11, 12, 255]]]> : tensor<1x1x4xui8>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x2 = onnx.Constant dense<10> : tensor<ui8>
  %x3 = onnx.Constant dense<[[[3]], [[5]]]> : tensor<2x1x1xui8>
  %x4 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %x5 = onnx.Constant dense<2> : tensor<ui8>
  %x6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x7 = onnx.Constant dense<1> : tensor<ui8>
  // expected-remark @+1 {{onnx.QLinearConv not folded: input #4 has shape [3], which does not fit its operand of shape [2, 1, 1]}}
  %r = onnx.QLinearConv(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 10}> : (tensor<1x1x4xui8>, tensor<f32>, tensor<ui8>, tensor<2x1x1xui8>, tensor<3xf32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4xui8>
  return %r : tensor<1x2x4xui8>
}
