// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, product by product.

// CHECK-LABEL: @convtranspose_pads_and_output_padding
// CHECK{LITERAL}: onnx.Constant dense<[[[4.000000e+00, -3.000000e+00, -4.000000e+00, 3.000000e+00]]]> : tensor<1x1x4xf32>
// CHECK-NEXT: return
func.func @convtranspose_pads_and_output_padding() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 3.000000e+00], [2.000000e+00, -2.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, -1.000000e+00]], [[-3.000000e+00, 2.000000e+00, -3.000000e+00]]]> : tensor<2x1x3xf32>
  %r = onnx.ConvTranspose(%x0, %x1) <{since = 11}> {strides = array<i64: 2>, pads = array<i64: 1, 1>, output_padding = array<i64: 1>} : (tensor<1x2x2xf32>, tensor<2x1x3xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: @convtranspose_same_upper
// CHECK{LITERAL}: onnx.Constant dense<[[[-6.000000e+00, 4.000000e+00, -3.000000e+00, -4.000000e+00]]]> : tensor<1x1x4xf32>
// CHECK-NEXT: return
func.func @convtranspose_same_upper() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 3.000000e+00], [2.000000e+00, -2.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, -1.000000e+00]], [[-3.000000e+00, 2.000000e+00, -3.000000e+00]]]> : tensor<2x1x3xf32>
  %r = onnx.ConvTranspose(%x0, %x1) <{since = 11}> {strides = array<i64: 2>, auto_pad = "SAME_UPPER"} : (tensor<1x2x2xf32>, tensor<2x1x3xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: @convtranspose_same_lower
// CHECK{LITERAL}: onnx.Constant dense<[[[4.000000e+00, -3.000000e+00, -4.000000e+00, 3.000000e+00]]]> : tensor<1x1x4xf32>
// CHECK-NEXT: return
func.func @convtranspose_same_lower() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 3.000000e+00], [2.000000e+00, -2.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, -1.000000e+00]], [[-3.000000e+00, 2.000000e+00, -3.000000e+00]]]> : tensor<2x1x3xf32>
  %r = onnx.ConvTranspose(%x0, %x1) <{since = 11}> {strides = array<i64: 2>, auto_pad = "SAME_LOWER"} : (tensor<1x2x2xf32>, tensor<2x1x3xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// Without SAME_UPPER the odd element of padding is at the beginning.
// CHECK-LABEL: @convtranspose_output_shape
// CHECK{LITERAL}: onnx.Constant dense<[[[4.000000e+00, -3.000000e+00, -4.000000e+00, 3.000000e+00]]]> : tensor<1x1x4xf32>
// CHECK-NEXT: return
func.func @convtranspose_output_shape() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 3.000000e+00], [2.000000e+00, -2.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, -1.000000e+00]], [[-3.000000e+00, 2.000000e+00, -3.000000e+00]]]> : tensor<2x1x3xf32>
  %r = onnx.ConvTranspose(%x0, %x1) <{since = 11}> {strides = array<i64: 2>, output_shape = array<i64: 4>} : (tensor<1x2x2xf32>, tensor<2x1x3xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: @convtranspose_groups
// CHECK{LITERAL}: onnx.Constant dense<[[[-4.000000e+00, 4.000000e+00, 1.000000e+01, 2.000000e+00], [-1.000000e+00, 5.000000e+00, 5.000000e+00, -1.000000e+00], [5.000000e+00, 3.000000e+00, -5.000000e+00, -5.000000e+00], [6.000000e+00, -4.000000e+00, 0.000000e+00, 9.000000e+00]]]> : tensor<1x4x4xf32>
// CHECK-NEXT: return
func.func @convtranspose_groups() -> tensor<1x4x4xf32> {
  %x0 = onnx.Constant dense<[[[2.000000e+00, -2.000000e+00], [1.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00], [0.000000e+00, 3.000000e+00]]]> : tensor<1x4x2xf32>
  %x1 = onnx.Constant dense<[[[-2.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00]], [[-3.000000e+00, 1.000000e+00], [-1.000000e+00, 3.000000e+00]], [[-2.000000e+00, -1.000000e+00], [-3.000000e+00, 2.000000e+00]], [[0.000000e+00, -1.000000e+00], [3.000000e+00, 1.000000e+00]]]> : tensor<4x2x2xf32>
  %x2 = onnx.Constant dense<[3.000000e+00, 2.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<4xf32>
  %r = onnx.ConvTranspose(%x0, %x1, %x2) <{since = 22}> {group = 2 : i64, strides = array<i64: 2>} : (tensor<1x4x2xf32>, tensor<4x2x2xf32>, tensor<4xf32>) -> tensor<1x4x4xf32>
  return %r : tensor<1x4x4xf32>
}

// -----

// -1 elements of padding are at the end, as in the stored tests.
// CHECK-LABEL: @convtranspose_one_element_more
// CHECK{LITERAL}: onnx.Constant dense<[[[-4.000000e+00, 0.000000e+00, 4.000000e+00, 0.000000e+00, 2.000000e+00, 0.000000e+00]]]> : tensor<1x1x6xf32>
// CHECK-NEXT: return
func.func @convtranspose_one_element_more() -> tensor<1x1x6xf32> {
  %x0 = onnx.Constant dense<[[[2.000000e+00, -2.000000e+00, -1.000000e+00]]]> : tensor<1x1x3xf32>
  %x1 = onnx.Constant dense<-2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.ConvTranspose(%x0, %x1) <{since = 11}> {strides = array<i64: 2>, output_shape = array<i64: 6>} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>) -> tensor<1x1x6xf32>
  return %r : tensor<1x1x6xf32>
}

// -----

// CHECK-LABEL: @convtranspose_negative_padding_stays
// CHECK: onnx.ConvTranspose(
func.func @convtranspose_negative_padding_stays() -> tensor<1x1x9xf32> {
  %x0 = onnx.Constant dense<[[[2.000000e+00, -2.000000e+00, -1.000000e+00]]]> : tensor<1x1x3xf32>
  %x1 = onnx.Constant dense<-2.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.ConvTranspose not folded: the output has size 9 where 5 elements are computed: how negative padding is divided is not specified}}
  %r = onnx.ConvTranspose(%x0, %x1) <{since = 11}> {strides = array<i64: 2>, output_shape = array<i64: 9>} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>) -> tensor<1x1x9xf32>
  return %r : tensor<1x1x9xf32>
}

// -----

// CHECK-LABEL: @convtranspose_channels_stay
// CHECK: onnx.ConvTranspose(
func.func @convtranspose_channels_stay() -> tensor<1x1x3xf32> {
  %x0 = onnx.Constant dense<[[[2.000000e+00, -2.000000e+00, -1.000000e+00]]]> : tensor<1x1x3xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<2x1x1xf32>
  // expected-remark @+1 {{onnx.ConvTranspose not folded: input #0 has shape [1, 1, 3], the weights have [2, 1, 1], in attribute 'group' 1}}
  %r = onnx.ConvTranspose(%x0, %x1) <{since = 11}> : (tensor<1x1x3xf32>, tensor<2x1x1xf32>) -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}
