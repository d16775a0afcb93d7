// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, product by product.

// CHECK-LABEL: @conv_f32
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.400000e+01, -4.000000e+00], [1.900000e+01, 3.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @conv_f32() -> tensor<1x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, -3.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, -1.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -1.000000e+00], [0.000000e+00, -1.000000e+00, -3.000000e+00, -3.000000e+00]]]]> : tensor<1x1x4x4xf32>
  %x1 = onnx.Constant dense<[[[[-3.000000e+00, -3.000000e+00, -2.000000e+00], [3.000000e+00, -2.000000e+00, 1.000000e+00], [2.000000e+00, -2.000000e+00, -2.000000e+00]]]]> : tensor<1x1x3x3xf32>
  %r = onnx.Conv(%x0, %x1) <{since = 1}> : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// CHECK-LABEL: @conv_pads_strides_bias
// CHECK{LITERAL}: onnx.Constant dense<[[[[9.400000e+01], [1.190000e+02]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: return
func.func @conv_pads_strides_bias() -> tensor<1x1x2x1xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, -3.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, -1.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -1.000000e+00], [0.000000e+00, -1.000000e+00, -3.000000e+00, -3.000000e+00]]]]> : tensor<1x1x4x4xf32>
  %x1 = onnx.Constant dense<[[[[-3.000000e+00, -3.000000e+00, -2.000000e+00], [3.000000e+00, -2.000000e+00, 1.000000e+00], [2.000000e+00, -2.000000e+00, -2.000000e+00]]]]> : tensor<1x1x3x3xf32>
  %x2 = onnx.Constant dense<1.000000e+02> : tensor<1xf32>
  %r = onnx.Conv(%x0, %x1, %x2) <{since = 11}> {strides = array<i64: 2, 2>, pads = array<i64: 1, 0, 1, 0>} : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>, tensor<1xf32>) -> tensor<1x1x2x1xf32>
  return %r : tensor<1x1x2x1xf32>
}

// -----

// CHECK-LABEL: @conv_1d_depthwise_dilated
// CHECK{LITERAL}: onnx.Constant dense<[[[1.500000e+01, 5.000000e+00], [-4.000000e+00, 4.000000e+00], [1.000000e+00, 0.000000e+00]]]> : tensor<1x3x2xf32>
// CHECK-NEXT: return
func.func @conv_1d_depthwise_dilated() -> tensor<1x3x2xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 1.000000e+00, 3.000000e+00, 1.000000e+00], [2.000000e+00, -1.000000e+00, 2.000000e+00, -3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[2.000000e+00, 3.000000e+00]], [[-1.000000e+00, -1.000000e+00]], [[0.000000e+00, 1.000000e+00]]]> : tensor<3x1x2xf32>
  %r = onnx.Conv(%x0, %x1) <{since = 22}> {group = 3 : i64, dilations = array<i64: 2>, kernel_shape = array<i64: 2>} : (tensor<1x3x4xf32>, tensor<3x1x2xf32>) -> tensor<1x3x2xf32>
  return %r : tensor<1x3x2xf32>
}

// -----

// CHECK-LABEL: @conv_same_upper
// CHECK{LITERAL}: onnx.Constant dense<[[[9.000000e+00, 1.100000e+01, 9.000000e+00, 2.000000e+00], [-1.000000e+00, -1.000000e+00, 1.000000e+00, 3.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<1x3x4xf32>
// CHECK-NEXT: return
func.func @conv_same_upper() -> tensor<1x3x4xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 1.000000e+00, 3.000000e+00, 1.000000e+00], [2.000000e+00, -1.000000e+00, 2.000000e+00, -3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[2.000000e+00, 3.000000e+00]], [[-1.000000e+00, -1.000000e+00]], [[0.000000e+00, 1.000000e+00]]]> : tensor<3x1x2xf32>
  %r = onnx.Conv(%x0, %x1) <{since = 11}> {group = 3 : i64, auto_pad = "SAME_UPPER"} : (tensor<1x3x4xf32>, tensor<3x1x2xf32>) -> tensor<1x3x4xf32>
  return %r : tensor<1x3x4xf32>
}

// -----

// CHECK-LABEL: @conv_same_lower
// CHECK{LITERAL}: onnx.Constant dense<[[[9.000000e+00, 9.000000e+00, 1.100000e+01, 9.000000e+00], [-2.000000e+00, -1.000000e+00, -1.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x3x4xf32>
// CHECK-NEXT: return
func.func @conv_same_lower() -> tensor<1x3x4xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 1.000000e+00, 3.000000e+00, 1.000000e+00], [2.000000e+00, -1.000000e+00, 2.000000e+00, -3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[2.000000e+00, 3.000000e+00]], [[-1.000000e+00, -1.000000e+00]], [[0.000000e+00, 1.000000e+00]]]> : tensor<3x1x2xf32>
  %r = onnx.Conv(%x0, %x1) <{since = 11}> {group = 3 : i64, auto_pad = "SAME_LOWER"} : (tensor<1x3x4xf32>, tensor<3x1x2xf32>) -> tensor<1x3x4xf32>
  return %r : tensor<1x3x4xf32>
}

// -----

// CHECK-LABEL: @conv_3d
// CHECK{LITERAL}: onnx.Constant dense<[[[[[-5.000000e+00, -8.000000e+00], [7.000000e+00, -5.000000e+00]]], [[[4.000000e+00, 1.100000e+01], [4.000000e+00, -2.000000e+00]]]]]> : tensor<1x2x1x2x2xf32>
// CHECK-NEXT: return
func.func @conv_3d() -> tensor<1x2x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[[[0.000000e+00, 1.000000e+00, 3.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00]], [[-1.000000e+00, -2.000000e+00, -3.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00]]]]]> : tensor<1x1x2x2x3xf32>
  %x1 = onnx.Constant dense<[[[[[1.000000e+00, 0.000000e+00]], [[3.000000e+00, 1.000000e+00]]]], [[[[3.000000e+00, 1.000000e+00]], [[-1.000000e+00, -1.000000e+00]]]]]> : tensor<2x1x2x1x2xf32>
  %r = onnx.Conv(%x0, %x1) <{since = 11}> : (tensor<1x1x2x2x3xf32>, tensor<2x1x2x1x2xf32>) -> tensor<1x2x1x2x2xf32>
  return %r : tensor<1x2x1x2x2xf32>
}

// -----

// Sums of f16 would stay at 2048.
// CHECK-LABEL: @conv_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<2.050000e+03> : tensor<1x1x1xf16>
// CHECK-NEXT: return
func.func @conv_f16_rounds_once() -> tensor<1x1x1xf16> {
  %x0 = onnx.Constant dense<[[[2.048000e+03], [1.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf16>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x3x1xf16>
  %r = onnx.Conv(%x0, %x1) <{since = 11}> : (tensor<1x3x1xf16>, tensor<1x3x1xf16>) -> tensor<1x1x1xf16>
  return %r : tensor<1x1x1xf16>
}

// -----

// CHECK-LABEL: @conv_empty_batch
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x2x2xf32>
// CHECK-NEXT: return
func.func @conv_empty_batch() -> tensor<0x2x2xf32> {
  %x0 = onnx.Constant dense<> : tensor<0x1x4xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<2x1x3xf32>
  %r = onnx.Conv(%x0, %x1) <{since = 11}> : (tensor<0x1x4xf32>, tensor<2x1x3xf32>) -> tensor<0x2x2xf32>
  return %r : tensor<0x2x2xf32>
}

// -----

// CHECK-LABEL: @conv_no_channels
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @conv_no_channels() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<> : tensor<1x0x4xf32>
  %x1 = onnx.Constant dense<> : tensor<2x0x3xf32>
  %x2 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r = onnx.Conv(%x0, %x1, %x2) <{since = 11}> : (tensor<1x0x4xf32>, tensor<2x0x3xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @conv_channels_stay
// CHECK: onnx.Conv(
func.func @conv_channels_stay() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x2x3xf32>
  // expected-remark @+1 {{onnx.Conv not folded: input #0 has shape [1, 1, 4], the weights have [1, 2, 3], in attribute 'group' 1}}
  %r = onnx.Conv(%x0, %x1) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x2x3xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @conv_endless_stays
// CHECK: onnx.Conv(
func.func @conv_endless_stays() -> tensor<1x1x500001xf32> {
  %x0 = onnx.Constant dense<1.000000e+00> : tensor<1x1x1000000xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x1x500000xf32>
  // expected-remark @+1 {{onnx.Conv not folded: takes 5000010000000 units of work, more than 100000000000}}
  %r = onnx.Conv(%x0, %x1) <{since = 11}> : (tensor<1x1x1000000xf32>, tensor<1x1x500000xf32>) -> tensor<1x1x500001xf32>
  return %r : tensor<1x1x500001xf32>
}

// -----

// CHECK-LABEL: @conv_bias_stays
// CHECK: onnx.Conv(
func.func @conv_bias_stays() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x1x3xf32>
  %x2 = onnx.Constant dense<1.000000e+00> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Conv not folded: the bias has shape [2], expected [1]}}
  %r = onnx.Conv(%x0, %x1, %x2) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x3xf32>, tensor<2xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @conv_kernel_shape_stays
// CHECK: onnx.Conv(
func.func @conv_kernel_shape_stays() -> tensor<1x1x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x1x3xf32>
  // expected-remark @+1 {{onnx.Conv not folded: attribute 'kernel_shape' is [2], the weights have [3]}}
  %r = onnx.Conv(%x0, %x1) <{since = 11}> {kernel_shape = array<i64: 2>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x?xf32>
  return %r : tensor<1x1x?xf32>
}

// -----

// CHECK-LABEL: @conv_group_0_stays
// CHECK: onnx.Conv(
func.func @conv_group_0_stays() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x1x3xf32>
  // expected-remark @+1 {{onnx.Conv not folded: input #0 has shape [1, 1, 4], the weights have [1, 1, 3], in attribute 'group' 0}}
  %r = onnx.Conv(%x0, %x1) <{since = 11}> {group = 0 : i64} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}
