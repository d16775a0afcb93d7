// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, product by product.

// CHECK-LABEL: @col2im_strides_pads
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.300000e+01, 1.000000e+01], [7.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @col2im_strides_pads() -> tensor<1x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01, 1.100000e+01, 1.200000e+01], [1.300000e+01, 1.400000e+01, 1.500000e+01, 1.600000e+01]]]> : tensor<1x4x4xf32>
  %x1 = onnx.Constant dense<2> : tensor<2xi64>
  %x2 = onnx.Constant dense<2> : tensor<2xi64>
  %r = onnx.Col2Im(%x0, %x1, %x2) <{since = 18}> {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// CHECK-LABEL: @col2im_3d_i32
// CHECK{LITERAL}: onnx.Constant dense<[[[[[1, 5, 4], [5, 13, 8]], [[9, 21, 12], [13, 29, 16]]]]]> : tensor<1x1x2x2x3xi32>
// CHECK-NEXT: return
func.func @col2im_3d_i32() -> tensor<1x1x2x2x3xi32> {
  %x0 = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12], [13, 14], [15, 16]]]> : tensor<1x8x2xi32>
  %x1 = onnx.Constant dense<[2, 2, 3]> : tensor<3xi64>
  %x2 = onnx.Constant dense<2> : tensor<3xi64>
  %r = onnx.Col2Im(%x0, %x1, %x2) <{since = 18}> : (tensor<1x8x2xi32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x1x2x2x3xi32>
  return %r : tensor<1x1x2x2x3xi32>
}

// -----

// CHECK-LABEL: @col2im_ui8_wraps
// CHECK{LITERAL}: onnx.Constant dense<[[[200, 144, 200]]]> : tensor<1x1x3xui8>
// CHECK-NEXT: return
func.func @col2im_ui8_wraps() -> tensor<1x1x3xui8> {
  %x0 = onnx.Constant dense<200> : tensor<1x2x2xui8>
  %x1 = onnx.Constant dense<3> : tensor<1xi64>
  %x2 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Col2Im(%x0, %x1, %x2) <{since = 18}> : (tensor<1x2x2xui8>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x3xui8>
  return %r : tensor<1x1x3xui8>
}

// -----

// CHECK-LABEL: @col2im_no_dimensions_stay
// CHECK: onnx.Col2Im(
func.func @col2im_no_dimensions_stay() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %x1 = onnx.Constant dense<> : tensor<0xi64>
  %x2 = onnx.Constant dense<> : tensor<0xi64>
  // expected-remark @+1 {{onnx.Col2Im not folded: the kernel is [], expected 1 numbers from 1 to 2^31}}
  %r = onnx.Col2Im(%x0, %x1, %x2) <{since = 18}> : (tensor<1x1x1xf32>, tensor<0xi64>, tensor<0xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @col2im_columns_stay
// CHECK: onnx.Col2Im(
func.func @col2im_columns_stay() -> tensor<1x1x3xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]]> : tensor<1x2x3xf32>
  %x1 = onnx.Constant dense<3> : tensor<1xi64>
  %x2 = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Col2Im not folded: input #0 has shape [1, 2, 3], expected 2 columns of a multiple of 2}}
  %r = onnx.Col2Im(%x0, %x1, %x2) <{since = 18}> : (tensor<1x2x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
