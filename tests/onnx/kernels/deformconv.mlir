// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification.

// CHECK-LABEL: @deformconv
// CHECK{LITERAL}: onnx.Constant dense<[[[[-4.125000e+00, 7.500000e-01], [3.437500e+00, -3.500000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @deformconv() -> tensor<1x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[[2.000000e+00, -2.000000e+00, -2.000000e+00], [4.000000e+00, -3.000000e+00, -2.000000e+00], [1.000000e+00, 3.000000e+00, 1.000000e+00]]]]> : tensor<1x1x3x3xf32>
  %x1 = onnx.Constant dense<[[[[3.000000e+00, -4.000000e+00], [-1.000000e+00, 1.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %x2 = onnx.Constant dense<[[[[-2.500000e-01, -2.500000e-01], [-2.500000e-01, -1.000000e+00]], [[-1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]], [[-5.000000e-01, 7.500000e-01], [-5.000000e-01, -7.500000e-01]], [[-7.500000e-01, -2.500000e-01], [-7.500000e-01, 1.000000e+00]], [[7.500000e-01, 7.500000e-01], [-2.500000e-01, -1.000000e+00]], [[-5.000000e-01, 0.000000e+00], [2.500000e-01, 0.000000e+00]], [[2.500000e-01, -2.500000e-01], [2.500000e-01, -1.000000e+00]], [[1.000000e+00, 0.000000e+00], [-7.500000e-01, 7.500000e-01]]]]> : tensor<1x8x2x2xf32>
  %r = onnx.DeformConv(%x0, %x1, %x2) <{since = 19}> : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// CHECK-LABEL: @deformconv_bias_and_mask
// CHECK{LITERAL}: onnx.Constant dense<[[[[5.937500e+00, 4.375000e+00], [6.718750e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @deformconv_bias_and_mask() -> tensor<1x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[[2.000000e+00, -2.000000e+00, -2.000000e+00], [4.000000e+00, -3.000000e+00, -2.000000e+00], [1.000000e+00, 3.000000e+00, 1.000000e+00]]]]> : tensor<1x1x3x3xf32>
  %x1 = onnx.Constant dense<[[[[3.000000e+00, -4.000000e+00], [-1.000000e+00, 1.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %x2 = onnx.Constant dense<[[[[-2.500000e-01, -2.500000e-01], [-2.500000e-01, -1.000000e+00]], [[-1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]], [[-5.000000e-01, 7.500000e-01], [-5.000000e-01, -7.500000e-01]], [[-7.500000e-01, -2.500000e-01], [-7.500000e-01, 1.000000e+00]], [[7.500000e-01, 7.500000e-01], [-2.500000e-01, -1.000000e+00]], [[-5.000000e-01, 0.000000e+00], [2.500000e-01, 0.000000e+00]], [[2.500000e-01, -2.500000e-01], [2.500000e-01, -1.000000e+00]], [[1.000000e+00, 0.000000e+00], [-7.500000e-01, 7.500000e-01]]]]> : tensor<1x8x2x2xf32>
  %x3 = onnx.Constant dense<7.000000e+00> : tensor<1xf32>
  %x4 = onnx.Constant dense<[[[[5.000000e-01, 1.000000e+00], [0.000000e+00, 1.000000e+00]], [[0.000000e+00, 5.000000e-01], [0.000000e+00, 5.000000e-01]], [[5.000000e-01, 1.000000e+00], [5.000000e-01, 1.000000e+00]], [[5.000000e-01, 5.000000e-01], [5.000000e-01, 0.000000e+00]]]]> : tensor<1x4x2x2xf32>
  %r = onnx.DeformConv(%x0, %x1, %x2, %x3, %x4) <{since = 22}> : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>, tensor<1xf32>, tensor<1x4x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// CHECK-LABEL: @deformconv_groups_pads_strides
// CHECK{LITERAL}: onnx.Constant dense<[[[[2.500000e+00, 0.000000e+00, 8.000000e+00], [-3.000000e+00, -1.700000e+01, 4.000000e+00]], [[0.000000e+00, 1.000000e+00, -6.500000e+00], [-1.500000e+00, 4.000000e+00, -4.500000e+00]]]]> : tensor<1x2x2x3xf32>
// CHECK-NEXT: return
func.func @deformconv_groups_pads_strides() -> tensor<1x2x2x3xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, -1.000000e+00, -2.000000e+00], [-3.000000e+00, -3.000000e+00, 4.000000e+00], [-2.000000e+00, 3.000000e+00, -4.000000e+00]], [[-4.000000e+00, -1.000000e+00, 4.000000e+00], [0.000000e+00, 2.000000e+00, 2.000000e+00], [1.000000e+00, 3.000000e+00, -2.000000e+00]], [[-4.000000e+00, -3.000000e+00, 4.000000e+00], [-4.000000e+00, 2.000000e+00, 0.000000e+00], [4.000000e+00, 4.000000e+00, -3.000000e+00]], [[-4.000000e+00, -1.000000e+00, -1.000000e+00], [0.000000e+00, -3.000000e+00, 2.000000e+00], [0.000000e+00, -2.000000e+00, -3.000000e+00]]]]> : tensor<1x4x3x3xf32>
  %x1 = onnx.Constant dense<[[[[0.000000e+00], [4.000000e+00]], [[-2.000000e+00], [-2.000000e+00]]], [[[0.000000e+00], [2.000000e+00]], [[0.000000e+00], [1.000000e+00]]]]> : tensor<2x2x2x1xf32>
  %x2 = onnx.Constant dense<[[[[5.000000e-01, 0.000000e+00, 1.000000e+00], [1.500000e+00, -1.000000e+00, 1.000000e+00]], [[5.000000e-01, -1.500000e+00, -2.000000e+00], [1.000000e+00, 5.000000e-01, 0.000000e+00]], [[0.000000e+00, -5.000000e-01, -1.500000e+00], [-5.000000e-01, -1.000000e+00, 2.000000e+00]], [[-2.000000e+00, 2.000000e+00, -5.000000e-01], [-1.000000e+00, -5.000000e-01, 0.000000e+00]], [[0.000000e+00, 1.000000e+00, -2.000000e+00], [1.500000e+00, 1.000000e+00, -1.500000e+00]], [[-1.000000e+00, 1.500000e+00, -1.000000e+00], [-1.000000e+00, 2.000000e+00, -5.000000e-01]], [[5.000000e-01, 1.000000e+00, 5.000000e-01], [0.000000e+00, 0.000000e+00, 5.000000e-01]], [[-1.500000e+00, 1.500000e+00, -1.500000e+00], [1.500000e+00, -1.500000e+00, 0.000000e+00]]]]> : tensor<1x8x2x3xf32>
  %r = onnx.DeformConv(%x0, %x1, %x2) <{since = 19}> {group = 2 : i64, offset_group = 2 : i64, strides = array<i64: 2, 1>, pads = array<i64: 1, 0, 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x2x2x1xf32>, tensor<1x8x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %r : tensor<1x2x2x3xf32>
}

// -----

// CHECK-LABEL: @deformconv_1d_dilated
// CHECK{LITERAL}: onnx.Constant dense<[[[-1.500000e+00, 0.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-NEXT: return
func.func @deformconv_1d_dilated() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[-1.000000e+00, 0.000000e+00, -3.000000e+00, -1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<[[[0.000000e+00, 3.000000e+00]]]> : tensor<1x1x2xf32>
  %x2 = onnx.Constant dense<[[[3.000000e+00, 2.000000e+00], [1.500000e+00, 2.500000e+00]]]> : tensor<1x2x2xf32>
  %r = onnx.DeformConv(%x0, %x1, %x2) <{since = 19}> {dilations = array<i64: 2>} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>, tensor<1x2x2xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @deformconv_3d
// CHECK{LITERAL}: onnx.Constant dense<[[[[[-4.000000e+00], [0.000000e+00]], [[1.625000e+00], [0.000000e+00]]]]]> : tensor<1x1x2x2x1xf32>
// CHECK-NEXT: return
func.func @deformconv_3d() -> tensor<1x1x2x2x1xf32> {
  %x0 = onnx.Constant dense<[[[[[-2.000000e+00, 4.000000e+00], [-2.000000e+00, -4.000000e+00]], [[3.000000e+00, -2.000000e+00], [4.000000e+00, 3.000000e+00]]]]]> : tensor<1x1x2x2x2xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x1x1x1x2xf32>
  %x2 = onnx.Constant dense<[[[[[-5.000000e-01], [1.000000e+00]], [[0.000000e+00], [1.000000e+00]]], [[[-1.000000e+00], [0.000000e+00]], [[0.000000e+00], [-1.000000e+00]]], [[[1.000000e+00], [-1.000000e+00]], [[-5.000000e-01], [-1.000000e+00]]], [[[0.000000e+00], [-1.000000e+00]], [[5.000000e-01], [-1.000000e+00]]], [[[1.000000e+00], [5.000000e-01]], [[5.000000e-01], [1.000000e+00]]], [[[0.000000e+00], [1.000000e+00]], [[5.000000e-01], [0.000000e+00]]]]]> : tensor<1x6x2x2x1xf32>
  %r = onnx.DeformConv(%x0, %x1, %x2) <{since = 19}> : (tensor<1x1x2x2x2xf32>, tensor<1x1x1x1x2xf32>, tensor<1x6x2x2x1xf32>) -> tensor<1x1x2x2x1xf32>
  return %r : tensor<1x1x2x2x1xf32>
}

// -----

// CHECK-LABEL: @deformconv_far_and_nan_offsets_meet_nothing
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK-NEXT: return
func.func @deformconv_far_and_nan_offsets_meet_nothing() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<1.000000e+00> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<[[[1.000000e+30, 0x7FC00000]]]> : tensor<1x1x2xf32>
  %r = onnx.DeformConv(%x0, %x1, %x2) <{since = 19}> : (tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @deformconv_offsets_stay
// CHECK: onnx.DeformConv(
func.func @deformconv_offsets_stay() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<1.000000e+00> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<1.000000e+00> : tensor<1x2x2xf32>
  // expected-remark @+1 {{onnx.DeformConv not folded: input #2 has shape [1, 2, 2], expected [1, 1, 2]}}
  %r = onnx.DeformConv(%x0, %x1, %x2) <{since = 19}> : (tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1x2x2xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @deformconv_groups_stay
// CHECK: onnx.DeformConv(
func.func @deformconv_groups_stay() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<1.000000e+00> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<1.000000e+00> : tensor<1x2x2xf32>
  // expected-remark @+1 {{onnx.DeformConv not folded: input #0 has shape [1, 1, 2], in attribute 'offset_group' 2}}
  %r = onnx.DeformConv(%x0, %x1, %x2) <{since = 19}> {offset_group = 2 : i64} : (tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1x2x2xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}
