// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python, one element at a time, by the formulas of the specification.

// ONNX 1.5's test resize_downsample_nearest; the reference evaluator counts coordinates as in version 11.
// CHECK-LABEL: @resize_v10_nearest_shrinks_upwards
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @resize_v10_nearest_shrinks_upwards() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
  %x1 = onnx.Constant dense<6.000000e-01> : tensor<2xf32>
  %r = onnx.Resize(%x0, %x1) <{since = 10}> : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @resize_v11_sizes
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [1.750000e+00, 2.750000e+00, 3.750000e+00], [3.250000e+00, 4.250000e+00, 5.250000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<4x3xf32>
// CHECK-NEXT: return
func.func @resize_v11_sizes() -> tensor<4x3xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %x1 = onnx.Constant dense<> : tensor<0xf32>
  %x2 = onnx.Constant dense<> : tensor<0xf32>
  %x3 = onnx.Constant dense<[4, 3]> : tensor<2xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 11}> {mode = "linear"} : (tensor<2x3xf32>, tensor<0xf32>, tensor<0xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: @resize_v11_tf_half_pixel_for_nn
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @resize_v11_tf_half_pixel_for_nn() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<5xf32>
  %x1 = onnx.Constant dense<> : tensor<0xf32>
  %x2 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 11}> {coordinate_transformation_mode = "tf_half_pixel_for_nn"} : (tensor<5xf32>, tensor<0xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Not in the text of version 13, but in its test of ONNX 1.9.
// CHECK-LABEL: @resize_v13_tf_half_pixel_for_nn
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @resize_v13_tf_half_pixel_for_nn() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<5xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {coordinate_transformation_mode = "tf_half_pixel_for_nn"} : (tensor<5xf32>, none, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @resize_nearest_round_prefer_floor
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @resize_nearest_round_prefer_floor() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 19}> {nearest_mode = "round_prefer_floor"} : (tensor<4xf32>, none, none, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @resize_nearest_round_prefer_ceil
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @resize_nearest_round_prefer_ceil() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 19}> {nearest_mode = "round_prefer_ceil"} : (tensor<4xf32>, none, none, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @resize_nearest_floor
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @resize_nearest_floor() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 19}> {nearest_mode = "floor"} : (tensor<4xf32>, none, none, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @resize_nearest_ceil
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @resize_nearest_ceil() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 19}> {nearest_mode = "ceil"} : (tensor<4xf32>, none, none, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// As in the stored tests: 2.4 - 1, not 2 - 1. ONNX Runtime gives [1, 4].
// CHECK-LABEL: @resize_align_corners_of_a_fractional_width
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 3.14285707]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @resize_align_corners_of_a_fractional_width() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<6.000000e-01> : tensor<1xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {mode = "linear", coordinate_transformation_mode = "align_corners"} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// The reference evaluator asks whether the width, 1.2, is 1.
// CHECK-LABEL: @resize_pytorch_half_pixel_to_1
// CHECK{LITERAL}: onnx.Constant dense<1.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return
func.func @resize_pytorch_half_pixel_to_1() -> tensor<1xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<3.000000e-01> : tensor<1xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {mode = "cubic", coordinate_transformation_mode = "pytorch_half_pixel"} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @resize_cubic_exclude_outside
// CHECK{LITERAL}: onnx.Constant dense<[[0.934210539, 1.35294116, 2.25231481, 3.53935194, 6.23529434, 8.26315784], [2.86842108, 4.17647076, 4.64583349, 1.562500e+00, 0.235294119, -0.065789476]]> : tensor<2x6xf32>
// CHECK-NEXT: return
func.func @resize_cubic_exclude_outside() -> tensor<2x6xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00], [3.000000e+00, 5.000000e+00, 1.000000e+00, 0.000000e+00]]> : tensor<2x4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<[1.000000e+00, 1.500000e+00]> : tensor<2xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {mode = "cubic", cubic_coeff_a = -5.000000e-01 : f32, exclude_outside = 1 : i64} : (tensor<2x4xf32>, none, tensor<2xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// -----

// CHECK-LABEL: @resize_cubic_antialias_exclude_outside
// CHECK{LITERAL}: onnx.Constant dense<[1.14781904, 3.07170105, 9.70404243, 27.163166]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @resize_cubic_antialias_exclude_outside() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 4.000000e+00, 8.000000e+00, 1.600000e+01, 3.200000e+01]> : tensor<6xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<4> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 18}> {mode = "cubic", antialias = 1 : i64, exclude_outside = 1 : i64} : (tensor<6xf32>, none, none, tensor<1xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @resize_axes
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00, 2.000000e+00]], [[3.000000e+00, 3.000000e+00, 3.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00]]]> : tensor<2x2x3xf32>
// CHECK-NEXT: return
func.func @resize_axes() -> tensor<2x2x3xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00]], [[3.000000e+00], [4.000000e+00]]]> : tensor<2x2x1xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<[3, 2]> : tensor<2xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 18}> {axes = array<i64: -1, 1>, mode = "linear"} : (tensor<2x2x1xf32>, none, none, tensor<2xi64>) -> tensor<2x2x3xf32>
  return %r : tensor<2x2x3xf32>
}

// -----

// CHECK-LABEL: @resize_not_larger
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00], [1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00], [5.000000e+00, 5.000000e+00, 6.000000e+00, 6.000000e+00, 7.000000e+00, 7.000000e+00, 8.000000e+00, 8.000000e+00], [5.000000e+00, 5.000000e+00, 6.000000e+00, 6.000000e+00, 7.000000e+00, 7.000000e+00, 8.000000e+00, 8.000000e+00]]> : tensor<4x8xf32>
// CHECK-NEXT: return
func.func @resize_not_larger() -> tensor<4x8xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<[7, 8]> : tensor<2xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 18}> {keep_aspect_ratio_policy = "not_larger"} : (tensor<2x4xf32>, none, none, tensor<2xi64>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @resize_not_smaller_rounds_half_up
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 1.625000e+00, 2.375000e+00, 3.000000e+00], [2.875000e+00, 3.500000e+00, 4.250000e+00, 4.875000e+00], [4.000000e+00, 4.625000e+00, 5.375000e+00, 6.000000e+00]]> : tensor<3x4xf32>
// CHECK-NEXT: return
func.func @resize_not_smaller_rounds_half_up() -> tensor<3x4xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<[1, 4]> : tensor<2xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 18}> {keep_aspect_ratio_policy = "not_smaller", mode = "linear"} : (tensor<2x3xf32>, none, none, tensor<2xi64>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: @resize_not_larger_width
// CHECK{LITERAL}: onnx.Constant dense<[[3.500000e+00, 5.500000e+00, 7.000000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT: return
func.func @resize_not_larger_width() -> tensor<1x3xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00]]> : tensor<2x5xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<[1, 9]> : tensor<2xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 18}> {keep_aspect_ratio_policy = "not_larger", mode = "linear"} : (tensor<2x5xf32>, none, none, tensor<2xi64>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

// CHECK-LABEL: @resize_crop_extrapolates
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+01, 1.000000e+01, 1.000000e+01, 1.000000e+01], [2.500000e+00, 3.33203125, 4.000000e+00, 1.000000e+01], [6.500000e+00, 7.33203125, 8.000000e+00, 1.000000e+01]]> : tensor<3x4xf32>
// CHECK-NEXT: return
func.func @resize_crop_extrapolates() -> tensor<3x4xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01, 1.100000e+01, 1.200000e+01]]> : tensor<3x4xf32>
  %x1 = onnx.Constant dense<[-5.000000e-01, 5.000000e-01, 5.000000e-01, 1.250000e+00]> : tensor<4xf32>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "cubic", extrapolation_value = 1.000000e+01 : f32, coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<3x4xf32>, tensor<4xf32>, none, tensor<2xi64>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: @resize_crop_all_outside
// CHECK{LITERAL}: onnx.Constant dense<-2> : tensor<2xi8>
// CHECK-NEXT: return
func.func @resize_crop_all_outside() -> tensor<2xi8> {
  %x0 = onnx.Constant dense<[1, 2, 3]> : tensor<3xi8>
  %x1 = onnx.Constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear", extrapolation_value = -2.500000e+00 : f32, coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<3xi8>, tensor<2xf32>, none, tensor<1xi64>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// CHECK-LABEL: @resize_crop_nearest_i32
// CHECK{LITERAL}: onnx.Constant dense<[2, 3, 7]> : tensor<3xi32>
// CHECK-NEXT: return
func.func @resize_crop_nearest_i32() -> tensor<3xi32> {
  %x0 = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  %x1 = onnx.Constant dense<[5.000000e-01, 1.500000e+00]> : tensor<2xf32>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {extrapolation_value = 7.000000e+00 : f32, coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<3xi32>, tensor<2xf32>, none, tensor<1xi64>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// They were rounded, as the evaluator does it: ONNX Runtime truncates.
// CHECK-LABEL: @resize_i8_of_fractions_stays
// CHECK: onnx.Resize(
func.func @resize_i8_of_fractions_stays() -> tensor<2xi8> {
  %x0 = onnx.Constant dense<[1, 2, 3, 6]> : tensor<4xi8>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: an element is 1.5}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear"} : (tensor<4xi8>, none, none, tensor<1xi64>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// CHECK-LABEL: @resize_i8_of_whole_numbers
// CHECK{LITERAL}: onnx.Constant dense<[2, 5]> : tensor<2xi8>
// CHECK-NEXT: return
func.func @resize_i8_of_whole_numbers() -> tensor<2xi8> {
  %x0 = onnx.Constant dense<[1, 3, 3, 7]> : tensor<4xi8>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear"} : (tensor<4xi8>, none, none, tensor<1xi64>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// In double the largest integer is 2^63.
// CHECK-LABEL: @resize_i64_linear_saturates
// CHECK{LITERAL}: onnx.Constant dense<9223372036854775807> : tensor<3xi64>
// CHECK-NEXT: return
func.func @resize_i64_linear_saturates() -> tensor<3xi64> {
  %x0 = onnx.Constant dense<9223372036854775807> : tensor<2xi64>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear"} : (tensor<2xi64>, none, none, tensor<1xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// The reference evaluator moves elements through double.
// CHECK-LABEL: @resize_i64_nearest_is_exact
// CHECK{LITERAL}: onnx.Constant dense<[9007199254740993, 9007199254740993, -9007199254740993]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @resize_i64_nearest_is_exact() -> tensor<3xi64> {
  %x0 = onnx.Constant dense<[9007199254740993, -9007199254740993]> : tensor<2xi64>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> : (tensor<2xi64>, none, none, tensor<1xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @resize_complex
// CHECK{LITERAL}: onnx.Constant dense<[(1.000000e+00,2.000000e+00), (1.500000e+00,1.000000e+00), (2.500000e+00,-1.000000e+00), (3.000000e+00,-2.000000e+00)]> : tensor<4xcomplex<f32>>
// CHECK-NEXT: return
func.func @resize_complex() -> tensor<4xcomplex<f32>> {
  %x0 = onnx.Constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-2.000000e+00)]> : tensor<2xcomplex<f32>>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<4> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear"} : (tensor<2xcomplex<f32>>, none, none, tensor<1xi64>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// -----

// CHECK-LABEL: @resize_string
// CHECK{LITERAL}: onnx.Constant dense<["a", "a", "b", "b"]> : tensor<4x!onnx.string>
// CHECK-NEXT: return
func.func @resize_string() -> tensor<4x!onnx.string> {
  %x0 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<4> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> : (tensor<2x!onnx.string>, none, none, tensor<1xi64>) -> tensor<4x!onnx.string>
  return %r : tensor<4x!onnx.string>
}

// -----

// CHECK-LABEL: @resize_bool
// CHECK{LITERAL}: onnx.Constant dense<[true, true, false]> : tensor<3xi1>
// CHECK-NEXT: return
func.func @resize_bool() -> tensor<3xi1> {
  %x0 = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> : (tensor<2xi1>, none, none, tensor<1xi64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// The reference evaluator multiplies the infinity by 0, and ONNX Runtime does in some of its loops.
// CHECK-LABEL: @resize_infinity_of_weight_0_stays
// CHECK: onnx.Resize(
func.func @resize_infinity_of_weight_0_stays() -> tensor<7xf32> {
  %x0 = onnx.Constant dense<[-0.000000e+00, 0x7F800000, 1.000000e+00, 2.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<7> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: element [1] of input #0 is not finite: runtimes do not agree on what it gives with a weight of 0}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear", coordinate_transformation_mode = "align_corners"} : (tensor<4xf32>, none, none, tensor<1xi64>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @resize_cubic_nan_stays
// CHECK: onnx.Resize(
func.func @resize_cubic_nan_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 0x7FC00000]> : tensor<3xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<4> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: element [2] of input #0 is not finite}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 19}> {mode = "cubic"} : (tensor<3xf32>, none, none, tensor<1xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The reference evaluator clips infinities to the largest number.
// CHECK-LABEL: @resize_nearest_nan_and_infinity
// CHECK{LITERAL}: onnx.Constant dense<[0x7FC00000, 0x7FC00000, 0xFF800000]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @resize_nearest_nan_and_infinity() -> tensor<3xf32> {
  %x0 = onnx.Constant dense<[0x7FC00000, 0xFF800000]> : tensor<2xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> : (tensor<2xf32>, none, none, tensor<1xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// 1 / 0.1 is 10, though the f32 that is nearest to 0.1 is larger.
// CHECK-LABEL: @resize_scale_is_the_ratio_it_was_rounded_from
// CHECK{LITERAL}: onnx.Constant dense<[0.000000e+00, 1.000000e+01, 2.000000e+01, 3.000000e+01, 4.000000e+01, 5.000000e+01, 6.000000e+01, 7.000000e+01, 8.000000e+01, 9.000000e+01]> : tensor<10xf32>
// CHECK-NEXT: return
func.func @resize_scale_is_the_ratio_it_was_rounded_from() -> tensor<10xf32> {
  %x0 = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01, 1.600000e+01, 1.700000e+01, 1.800000e+01, 1.900000e+01, 2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01, 2.600000e+01, 2.700000e+01, 2.800000e+01, 2.900000e+01, 3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01, 3.600000e+01, 3.700000e+01, 3.800000e+01, 3.900000e+01, 4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01, 4.600000e+01, 4.700000e+01, 4.800000e+01, 4.900000e+01, 5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01, 5.600000e+01, 5.700000e+01, 5.800000e+01, 5.900000e+01, 6.000000e+01, 6.100000e+01, 6.200000e+01, 6.300000e+01, 6.400000e+01, 6.500000e+01, 6.600000e+01, 6.700000e+01, 6.800000e+01, 6.900000e+01, 7.000000e+01, 7.100000e+01, 7.200000e+01, 7.300000e+01, 7.400000e+01, 7.500000e+01, 7.600000e+01, 7.700000e+01, 7.800000e+01, 7.900000e+01, 8.000000e+01, 8.100000e+01, 8.200000e+01, 8.300000e+01, 8.400000e+01, 8.500000e+01, 8.600000e+01, 8.700000e+01, 8.800000e+01, 8.900000e+01, 9.000000e+01, 9.100000e+01, 9.200000e+01, 9.300000e+01, 9.400000e+01, 9.500000e+01, 9.600000e+01, 9.700000e+01, 9.800000e+01, 9.900000e+01]> : tensor<100xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<1.000000e-01> : tensor<1xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {nearest_mode = "floor", coordinate_transformation_mode = "asymmetric"} : (tensor<100xf32>, none, tensor<1xf32>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// -----

// CHECK-LABEL: @resize_to_nothing
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @resize_to_nothing() -> tensor<2x0xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<[1.000000e+00, 5.000000e-01]> : tensor<2xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> : (tensor<2x1xf32>, none, tensor<2xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @resize_of_nothing
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x4xf32>
// CHECK-NEXT: return
func.func @resize_of_nothing() -> tensor<0x4xf32> {
  %x0 = onnx.Constant dense<> : tensor<0x2xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<2xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> : (tensor<0x2xf32>, none, tensor<2xf32>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// -----

// CHECK-LABEL: @resize_scales_and_sizes_stay
// CHECK: onnx.Resize(
func.func @resize_scales_and_sizes_stay() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %x3 = onnx.Constant dense<8> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: expected either scales or sizes}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> : (tensor<4xf32>, none, tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @resize_neither_stays
// CHECK: onnx.Resize(
func.func @resize_neither_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Constant dense<> : tensor<0xf32>
  %x2 = onnx.Constant dense<> : tensor<0xf32>
  // expected-remark @+1 {{onnx.Resize not folded: expected either scales or sizes}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 11}> : (tensor<4xf32>, tensor<0xf32>, tensor<0xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @resize_count_stays
// CHECK: onnx.Resize(
func.func @resize_count_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<8> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Resize not folded: there are 2 sizes for 1 axes}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> : (tensor<4xf32>, none, none, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @resize_scale_0_stays
// CHECK: onnx.Resize(
func.func @resize_scale_0_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: the scale of axis 0 is 0.000000}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @resize_negative_size_stays
// CHECK: onnx.Resize(
func.func @resize_negative_size_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<-1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: the sizes are [-1]}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> : (tensor<4xf32>, none, none, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @resize_policy_with_scales_stays
// CHECK: onnx.Resize(
func.func @resize_policy_with_scales_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: the scales do not go with a policy}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 18}> {keep_aspect_ratio_policy = "not_larger"} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @resize_axes_stay
// CHECK: onnx.Resize(
func.func @resize_axes_stay() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: the axes are [1], expected different ones of 1}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 18}> {axes = array<i64: 1>} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @resize_v10_cubic_stays
// CHECK: onnx.Resize(
func.func @resize_v10_cubic_stays() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: attribute 'mode' is 'cubic'}}
  %r = onnx.Resize(%x0, %x1) <{since = 10}> {mode = "cubic"} : (tensor<4xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @resize_v18_symmetric_stays
// CHECK: onnx.Resize(
func.func @resize_v18_symmetric_stays() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: attribute 'coordinate_transformation_mode' is 'half_pixel_symmetric'}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 18}> {coordinate_transformation_mode = "half_pixel_symmetric"} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @resize_v18_tf_half_pixel_stays
// CHECK: onnx.Resize(
func.func @resize_v18_tf_half_pixel_stays() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: attribute 'coordinate_transformation_mode' is 'tf_half_pixel_for_nn'}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 18}> {coordinate_transformation_mode = "tf_half_pixel_for_nn"} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// ONNX Runtime leaves the first axis alone.
// CHECK-LABEL: @resize_tf_half_pixel_shifts_unchanged_stays
// CHECK: onnx.Resize(
func.func @resize_tf_half_pixel_shifts_unchanged_stays() -> tensor<2x4xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<> : tensor<0xf32>
  %x2 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Resize not folded: an axis that does not change would be shifted by half an element}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 11}> {mode = "linear", coordinate_transformation_mode = "tf_half_pixel_for_nn"} : (tensor<2x2xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @resize_same_length_other_scale_stays
// CHECK: onnx.Resize(
func.func @resize_same_length_other_scale_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<1.125000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: no length changes, though a scale is not 1}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {mode = "linear"} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @resize_i64_linear_unchanged_is_exact
// CHECK{LITERAL}: onnx.Constant dense<[9007199254740993, 2]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @resize_i64_linear_unchanged_is_exact() -> tensor<2xi64> {
  %x0 = onnx.Constant dense<[9007199254740993, 2]> : tensor<2xi64>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear"} : (tensor<2xi64>, none, none, tensor<1xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @resize_scales_matrix_stays
// CHECK: onnx.Resize(
func.func @resize_scales_matrix_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: the scales or sizes are not a vector}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> : (tensor<4xf32>, none, tensor<1x1xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @resize_attributes_of_other_modes
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @resize_attributes_of_other_modes() -> tensor<3xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear", nearest_mode = "round", cubic_coeff_a = 0x7F800000 : f32} : (tensor<2xf32>, none, none, tensor<1xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @resize_cubic_coefficient_stays
// CHECK: onnx.Resize(
func.func @resize_cubic_coefficient_stays() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: attribute 'cubic_coeff_a' is not finite}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {mode = "cubic", cubic_coeff_a = 0x7F800000 : f32} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @resize_nearest_mode_stays
// CHECK: onnx.Resize(
func.func @resize_nearest_mode_stays() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: attribute 'nearest_mode' is 'round'}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {nearest_mode = "round"} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @resize_nearest_antialias_stays
// CHECK: onnx.Resize(
func.func @resize_nearest_antialias_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: attribute 'antialias' is set, the mode is nearest}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 18}> {antialias = 1 : i64} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @resize_all_excluded_stays
// CHECK: onnx.Resize(
func.func @resize_all_excluded_stays() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: the nearest element along axis 0 is excluded}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {nearest_mode = "floor", exclude_outside = 1 : i64} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @resize_region_stays
// CHECK: onnx.Resize(
func.func @resize_region_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: input #1 is not a region of 1 axes}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<4xf32>, tensor<1xf32>, none, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @resize_region_nan_stays
// CHECK: onnx.Resize(
func.func @resize_region_nan_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Constant dense<[0.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: a region is not finite}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<4xf32>, tensor<2xf32>, none, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// The text asks for 3 elements, inference, the reference evaluator and ONNX Runtime for 7.
// CHECK-LABEL: @resize_scaled_region_has_the_length_of_the_scaled_axis
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 1.250000e+00, 1.500000e+00, 1.750000e+00, 2.000000e+00, 2.250000e+00, 2.500000e+00]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @resize_scaled_region_has_the_length_of_the_scaled_axis() -> tensor<7xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Constant dense<[0.000000e+00, 5.000000e-01]> : tensor<2xf32>
  %x2 = onnx.Constant dense<1.750000e+00> : tensor<1xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {mode = "linear", coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<4xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @resize_bool_linear_stays
// CHECK: onnx.Resize(
func.func @resize_bool_linear_stays() -> tensor<3xi1> {
  %x0 = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: no kernel for these element types}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {mode = "linear"} : (tensor<2xi1>, none, none, tensor<1xi64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: @resize_string_extrapolated_stays
// CHECK: onnx.Resize(
func.func @resize_string_extrapolated_stays() -> tensor<3x!onnx.string> {
  %x0 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %x1 = onnx.Constant dense<[0.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: a position is extrapolated, and the type is str}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> {coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<2x!onnx.string>, tensor<2xf32>, none, tensor<1xi64>) -> tensor<3x!onnx.string>
  return %r : tensor<3x!onnx.string>
}

// -----

// CHECK-LABEL: @resize_nothing_to_something_stays
// CHECK: onnx.Resize(
func.func @resize_nothing_to_something_stays() -> tensor<3xf32> {
  %x0 = onnx.Constant dense<> : tensor<0xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Resize not folded: the input has shape [0], the result [3]}}
  %r = onnx.Resize(%x0, %x1, %x2, %x3) <{since = 13}> : (tensor<0xf32>, none, none, tensor<1xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @resize_too_long_stays
// CHECK: onnx.Resize(
func.func @resize_too_long_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<1.000000e+30> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: the scale of axis 0 is 1000000015047466219876688855040.000000}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 13}> {mode = "linear"} : (tensor<4xf32>, none, tensor<1xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// (6 + 1/2) / 1.3 - 1/2 is above 4.5, and 4.5 in f32.
// CHECK-LABEL: @resize_nearest_beside_a_tie_in_f32
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<9xf32>
// CHECK-NEXT: return
func.func @resize_nearest_beside_a_tie_in_f32() -> tensor<9xf32> {
  %x0 = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<7xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<1.300000e+00> : tensor<1xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 19}> {mode = "nearest"} : (tensor<7xf32>, none, tensor<1xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// 1.5 / 0.6 - 0.5 is below 2, and 2 in f32.
// CHECK-LABEL: @resize_nearest_floor_in_f32
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00, 3.000000e+00, 5.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @resize_nearest_floor_in_f32() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<7xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<6.000000e-01> : tensor<1xf32>
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 19}> {mode = "nearest", nearest_mode = "floor"} : (tensor<7xf32>, none, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// 10 * 1.3 is 13 in f32, and a little less exactly.
// CHECK-LABEL: @resize_length_in_f32_stays
// CHECK: onnx.Resize(
func.func @resize_length_in_f32_stays() -> tensor<12xf32> {
  %x0 = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00]> : tensor<10xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<1.300000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Resize not folded: axis 0 has 12 elements, in f32 as in ONNX Runtime 13}}
  %r = onnx.Resize(%x0, %x1, %x2) <{since = 19}> {mode = "linear"} : (tensor<10xf32>, none, tensor<1xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}
