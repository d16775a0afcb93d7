// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python, one element at a time, by the formulas of the specification.

// CHECK-LABEL: @gridsample_v16_bilinear_zeros
// CHECK{LITERAL}: onnx.Constant dense<[[[[2.500000e-01, 9.000000e+00, 3.500000e+00], [8.000000e+00, 9.750000e+00, 0.000000e+00]]]]> : tensor<1x1x2x3xf32>
// CHECK-NEXT: return
func.func @gridsample_v16_bilinear_zeros() -> tensor<1x1x2x3xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 4.000000e+00], [8.000000e+00, 1.600000e+01, 3.200000e+01]]]]> : tensor<1x1x2x3xf32>
  %x1 = onnx.Constant dense<[[[[-1.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, -5.000000e-01]], [[1.000000e+00, 1.000000e+00], [-2.500000e-01, 7.500000e-01], [1.500000e+00, -2.000000e+00]]]]> : tensor<1x2x3x2xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 16}> : (tensor<1x1x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  return %r : tensor<1x1x2x3xf32>
}

// -----

// CHECK-LABEL: @gridsample_v16_bicubic_border
// CHECK{LITERAL}: onnx.Constant dense<[[[[0.311523438, 9.000000e+00, 3.58203125], [36.2480469, 12.4076767, 4.000000e+00]]]]> : tensor<1x1x2x3xf32>
// CHECK-NEXT: return
func.func @gridsample_v16_bicubic_border() -> tensor<1x1x2x3xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 4.000000e+00], [8.000000e+00, 1.600000e+01, 3.200000e+01]]]]> : tensor<1x1x2x3xf32>
  %x1 = onnx.Constant dense<[[[[-1.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, -5.000000e-01]], [[1.000000e+00, 1.000000e+00], [-2.500000e-01, 7.500000e-01], [1.500000e+00, -2.000000e+00]]]]> : tensor<1x2x3x2xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 16}> {mode = "bicubic", padding_mode = "border"} : (tensor<1x1x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  return %r : tensor<1x1x2x3xf32>
}

// -----

// CHECK-LABEL: @gridsample_linear_border_align
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00, 9.000000e+00, 8.250000e+00], [3.200000e+01, 12.46875, 4.000000e+00]]]]> : tensor<1x1x2x3xf32>
// CHECK-NEXT: return
func.func @gridsample_linear_border_align() -> tensor<1x1x2x3xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 4.000000e+00], [8.000000e+00, 1.600000e+01, 3.200000e+01]]]]> : tensor<1x1x2x3xf32>
  %x1 = onnx.Constant dense<[[[[-1.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, -5.000000e-01]], [[1.000000e+00, 1.000000e+00], [-2.500000e-01, 7.500000e-01], [1.500000e+00, -2.000000e+00]]]]> : tensor<1x2x3x2xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> {padding_mode = "border", align_corners = 1 : i64} : (tensor<1x1x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  return %r : tensor<1x1x2x3xf32>
}

// -----

// CHECK-LABEL: @gridsample_cubic_zeros_align
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00, 1.068750e+01, 10.3114014], [3.200000e+01, 12.5464382, -0.341796875]]]]> : tensor<1x1x2x3xf32>
// CHECK-NEXT: return
func.func @gridsample_cubic_zeros_align() -> tensor<1x1x2x3xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 4.000000e+00], [8.000000e+00, 1.600000e+01, 3.200000e+01]]]]> : tensor<1x1x2x3xf32>
  %x1 = onnx.Constant dense<[[[[-1.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, -5.000000e-01]], [[1.000000e+00, 1.000000e+00], [-2.500000e-01, 7.500000e-01], [1.500000e+00, -2.000000e+00]]]]> : tensor<1x2x3x2xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 22}> {mode = "cubic", align_corners = 1 : i64} : (tensor<1x1x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x1x2x3xf32>
  return %r : tensor<1x1x2x3xf32>
}

// -----

// CHECK-LABEL: @gridsample_cubic_reflection
// CHECK{LITERAL}: onnx.Constant dense<[[[[-0.25390625, 9.000000e+00, 3.58203125], [40.7421875, 12.7571106, 16.1191406]]], [[[3.08203125, -5.000000e-01, 0.66796875], [4.23046875, 6.877060e-01, 1.27539063]]]]> : tensor<2x1x2x3xf32>
// CHECK-NEXT: return
func.func @gridsample_cubic_reflection() -> tensor<2x1x2x3xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 4.000000e+00], [8.000000e+00, 1.600000e+01, 3.200000e+01]]], [[[3.000000e+00, 0.000000e+00, 1.000000e+00], [5.000000e+00, -1.000000e+00, 3.000000e+00]]]]> : tensor<2x1x2x3xf32>
  %x1 = onnx.Constant dense<[[[[-1.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, -5.000000e-01]], [[1.000000e+00, 1.000000e+00], [-2.500000e-01, 7.500000e-01], [1.500000e+00, -2.000000e+00]]], [[[-1.000000e+00, -1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, -5.000000e-01]], [[1.000000e+00, 1.000000e+00], [-2.500000e-01, 7.500000e-01], [1.500000e+00, -2.000000e+00]]]]> : tensor<2x2x3x2xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 22}> {mode = "cubic", padding_mode = "reflection"} : (tensor<2x1x2x3xf32>, tensor<2x2x3x2xf32>) -> tensor<2x1x2x3xf32>
  return %r : tensor<2x1x2x3xf32>
}

// -----

// CHECK-LABEL: @gridsample_f64_grid_f16
// CHECK{LITERAL}: onnx.Constant dense<[[[2.2999267578125, 2.599853515625]]]> : tensor<1x1x2xf64>
// CHECK-NEXT: return
func.func @gridsample_f64_grid_f16() -> tensor<1x1x2xf64> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 4.000000e+00]]]> : tensor<1x1x3xf64>
  %x1 = onnx.Constant dense<[[[9.997560e-02], [1.999510e-01]]]> : tensor<1x2x1xf16>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x1x3xf64>, tensor<1x2x1xf16>) -> tensor<1x1x2xf64>
  return %r : tensor<1x1x2xf64>
}

// -----

// CHECK-LABEL: @gridsample_bf16
// CHECK{LITERAL}: onnx.Constant dense<[[[2.296880e+00, 2.750000e+00]]]> : tensor<1x1x2xbf16>
// CHECK-NEXT: return
func.func @gridsample_bf16() -> tensor<1x1x2xbf16> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 4.000000e+00]]]> : tensor<1x1x3xbf16>
  %x1 = onnx.Constant dense<[[[1.000980e-01], [2.500000e-01]]]> : tensor<1x2x1xbf16>
  %r = onnx.GridSample(%x0, %x1) <{since = 22}> : (tensor<1x1x3xbf16>, tensor<1x2x1xbf16>) -> tensor<1x1x2xbf16>
  return %r : tensor<1x1x2xbf16>
}

// -----

// CHECK-LABEL: @gridsample_complex
// CHECK{LITERAL}: onnx.Constant dense<[[[(2.000000e+00,-1.000000e+00), (1.500000e+00,-2.000000e+00)]]]> : tensor<1x1x2xcomplex<f32>>
// CHECK-NEXT: return
func.func @gridsample_complex() -> tensor<1x1x2xcomplex<f32>> {
  %x0 = onnx.Constant dense<[[[(1.000000e+00,2.000000e+00), (3.000000e+00,-4.000000e+00)]]]> : tensor<1x1x2xcomplex<f32>>
  %x1 = onnx.Constant dense<[[[0.000000e+00], [1.000000e+00]]]> : tensor<1x2x1xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x1x2xcomplex<f32>>, tensor<1x2x1xf32>) -> tensor<1x1x2xcomplex<f32>>
  return %r : tensor<1x1x2xcomplex<f32>>
}

// -----

// CHECK-LABEL: @gridsample_i32_is_cut_off
// CHECK{LITERAL}: onnx.Constant dense<[[[0, -3]]]> : tensor<1x1x2xi32>
// CHECK-NEXT: return
func.func @gridsample_i32_is_cut_off() -> tensor<1x1x2xi32> {
  %x0 = onnx.Constant dense<[[[1, 2, -5]]]> : tensor<1x1x3xi32>
  %x1 = onnx.Constant dense<[[[1.000000e-01], [9.000000e-01]]]> : tensor<1x2x1xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x1x3xi32>, tensor<1x2x1xf32>) -> tensor<1x1x2xi32>
  return %r : tensor<1x1x2xi32>
}

// -----

// The weights of a position add up to 1 but for rounding; 6.999... is not 6.
// CHECK-LABEL: @gridsample_i8_whole_in_spite_of_rounding
// CHECK{LITERAL}: onnx.Constant dense<7> : tensor<1x1x4xi8>
// CHECK-NEXT: return
func.func @gridsample_i8_whole_in_spite_of_rounding() -> tensor<1x1x4xi8> {
  %x0 = onnx.Constant dense<7> : tensor<1x1x3xi8>
  %x1 = onnx.Constant dense<[[[-6.000000e-01], [-3.000000e-01], [1.000000e-01], [3.000000e-01]]]> : tensor<1x4x1xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x1x3xi8>, tensor<1x4x1xf32>) -> tensor<1x1x4xi8>
  return %r : tensor<1x1x4xi8>
}

// -----

// CHECK-LABEL: @gridsample_string_nearest
// CHECK{LITERAL}: onnx.Constant dense<[[["a", "b"]]]> : tensor<1x1x2x!onnx.string>
// CHECK-NEXT: return
func.func @gridsample_string_nearest() -> tensor<1x1x2x!onnx.string> {
  %x0 = onnx.Constant dense<[[["a", "b"]]]> : tensor<1x1x2x!onnx.string>
  %x1 = onnx.Constant dense<[[[-5.000000e-01], [5.000000e-01]]]> : tensor<1x2x1xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> {mode = "nearest"} : (tensor<1x1x2x!onnx.string>, tensor<1x2x1xf32>) -> tensor<1x1x2x!onnx.string>
  return %r : tensor<1x1x2x!onnx.string>
}

// -----

// CHECK-LABEL: @gridsample_string_outside
// CHECK{LITERAL}: onnx.Constant dense<[[["a", ""]]]> : tensor<1x1x2x!onnx.string>
// CHECK-NEXT: return
func.func @gridsample_string_outside() -> tensor<1x1x2x!onnx.string> {
  %x0 = onnx.Constant dense<[[["a", "b"]]]> : tensor<1x1x2x!onnx.string>
  %x1 = onnx.Constant dense<[[[-5.000000e-01], [2.000000e+00]]]> : tensor<1x2x1xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> {mode = "nearest"} : (tensor<1x1x2x!onnx.string>, tensor<1x2x1xf32>) -> tensor<1x1x2x!onnx.string>
  return %r : tensor<1x1x2x!onnx.string>
}

// -----

// CHECK-LABEL: @gridsample_nan_of_weight_0_stays
// CHECK: onnx.GridSample(
func.func @gridsample_nan_of_weight_0_stays() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0x7FC00000, 0x7F800000, 4.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<[[[-1.000000e+00], [1.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: element [0, 0, 1] of input #0 is not finite}}
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> {align_corners = 1 : i64, padding_mode = "border"} : (tensor<1x1x4xf32>, tensor<1x2x1xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @gridsample_one_element_reflects
// CHECK{LITERAL}: onnx.Constant dense<5.000000e+00> : tensor<1x1x2xf32>
// CHECK-NEXT: return
func.func @gridsample_one_element_reflects() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<5.000000e+00> : tensor<1x1x1xf32>
  %x1 = onnx.Constant dense<[[[-3.000000e+00], [2.000000e-01]]]> : tensor<1x2x1xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> {align_corners = 1 : i64, mode = "cubic", padding_mode = "reflection"} : (tensor<1x1x1xf32>, tensor<1x2x1xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @gridsample_nothing
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<1x0x1xf32>
// CHECK-NEXT: return
func.func @gridsample_nothing() -> tensor<1x0x1xf32> {
  %x0 = onnx.Constant dense<> : tensor<1x0x2xf32>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x0x2xf32>, tensor<1x1x1xf32>) -> tensor<1x0x1xf32>
  return %r : tensor<1x0x1xf32>
}

// -----

// CHECK-LABEL: @gridsample_mode_stays
// CHECK: onnx.GridSample(
func.func @gridsample_mode_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: attribute 'mode' is 'bilinear'}}
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> {mode = "bilinear"} : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gridsample_padding_stays
// CHECK: onnx.GridSample(
func.func @gridsample_padding_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: attribute 'padding_mode' is 'wrap'}}
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> {padding_mode = "wrap"} : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gridsample_v16_3d_stays
// CHECK: onnx.GridSample(
func.func @gridsample_v16_3d_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: the input has shape [1, 1, 2], the grid type f32 and shape [1, 1, 1]}}
  %r = onnx.GridSample(%x0, %x1) <{since = 16}> : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gridsample_grid_stays
// CHECK: onnx.GridSample(
func.func @gridsample_grid_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: the input has shape [1, 1, 2], the grid type f32 and shape [1, 1, 2]}}
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gridsample_nan_stays
// CHECK: onnx.GridSample(
func.func @gridsample_nan_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<0x7FC00000> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: grid element [0, 0, 0] is not finite}}
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gridsample_empty_image_stays
// CHECK: onnx.GridSample(
func.func @gridsample_empty_image_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<> : tensor<1x1x0xf32>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: the input has shape [1, 1, 0]}}
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x1x0xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gridsample_i8_overshoots_stays
// CHECK: onnx.GridSample(
func.func @gridsample_i8_overshoots_stays() -> tensor<1x1x1xi8> {
  %x0 = onnx.Constant dense<[[[-128, -128, 127, 127]]]> : tensor<1x1x4xi8>
  %x1 = onnx.Constant dense<4.000000e-01> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: element [0, 0, 0] is 161.11450053429598, out of the range of i8}}
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> {mode = "cubic"} : (tensor<1x1x4xi8>, tensor<1x1x1xf32>) -> tensor<1x1x1xi8>
  return %r : tensor<1x1x1xi8>
}

// -----

// CHECK-LABEL: @gridsample_bool_linear_stays
// CHECK: onnx.GridSample(
func.func @gridsample_bool_linear_stays() -> tensor<1x1x1xi1> {
  %x0 = onnx.Constant dense<[[[true, false]]]> : tensor<1x1x2xi1>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.GridSample not folded: no kernel for these element types}}
  %r = onnx.GridSample(%x0, %x1) <{since = 20}> : (tensor<1x1x2xi1>, tensor<1x1x1xf32>) -> tensor<1x1x1xi1>
  return %r : tensor<1x1x1xi1>
}
