// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand; images are linear, so that an interpolated point has the value of its place.

// CHECK-LABEL: @roialign_half_pixel
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.650000e+01, 1.850000e+01], [3.650000e+01, 3.850000e+01]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @roialign_half_pixel() -> tensor<1x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[1.000000e+00, 1.000000e+00, 5.000000e+00, 5.000000e+00]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> {output_height = 2 : i64, output_width = 2 : i64} : (tensor<1x1x6x6xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// The reference evaluator shifts here too.
// CHECK-LABEL: @roialign_v10_no_shift
// CHECK{LITERAL}: onnx.Constant dense<[[[[2.200000e+01, 2.400000e+01], [4.200000e+01, 4.400000e+01]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @roialign_v10_no_shift() -> tensor<1x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[1.000000e+00, 1.000000e+00, 5.000000e+00, 5.000000e+00]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 10}> {output_height = 2 : i64, output_width = 2 : i64} : (tensor<1x1x6x6xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// CHECK-LABEL: @roialign_small_region_is_1x1
// CHECK{LITERAL}: onnx.Constant dense<2.650000e+01> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @roialign_small_region_is_1x1() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 10}> : (tensor<1x1x6x6xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @roialign_images
// CHECK{LITERAL}: onnx.Constant dense<[[[[-2.750000e+01]]], [[[2.750000e+01]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT: return
func.func @roialign_images() -> tensor<2x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]], [[[-0.000000e+00, -1.000000e+00, -2.000000e+00, -3.000000e+00, -4.000000e+00, -5.000000e+00], [-1.000000e+01, -1.100000e+01, -1.200000e+01, -1.300000e+01, -1.400000e+01, -1.500000e+01], [-2.000000e+01, -2.100000e+01, -2.200000e+01, -2.300000e+01, -2.400000e+01, -2.500000e+01], [-3.000000e+01, -3.100000e+01, -3.200000e+01, -3.300000e+01, -3.400000e+01, -3.500000e+01], [-4.000000e+01, -4.100000e+01, -4.200000e+01, -4.300000e+01, -4.400000e+01, -4.500000e+01], [-5.000000e+01, -5.100000e+01, -5.200000e+01, -5.300000e+01, -5.400000e+01, -5.500000e+01]]]]> : tensor<2x1x6x6xf32>
  %x1 = onnx.Constant dense<[[1.000000e+00, 1.000000e+00, 5.000000e+00, 5.000000e+00], [1.000000e+00, 1.000000e+00, 5.000000e+00, 5.000000e+00]]> : tensor<2x4xf32>
  %x2 = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> {sampling_ratio = 1 : i64} : (tensor<2x1x6x6xf32>, tensor<2x4xf32>, tensor<2xi64>) -> tensor<2x1x1x1xf32>
  return %r : tensor<2x1x1x1xf32>
}

// -----

// The largest weighted corner, 8 / 4, not the interpolated value 3.
// CHECK-LABEL: @roialign_max
// CHECK{LITERAL}: onnx.Constant dense<2.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @roialign_max() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 8.000000e+00], [0.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %x1 = onnx.Constant dense<[[5.000000e-01, 5.000000e-01, 1.500000e+00, 1.500000e+00]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> {sampling_ratio = 1 : i64, mode = "max"} : (tensor<1x1x2x2xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @roialign_outside_is_0
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @roialign_outside_is_0() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[2.000000e+01, 2.000000e+01, 3.000000e+01, 3.000000e+01]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> {sampling_ratio = 1 : i64} : (tensor<1x1x6x6xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @roialign_no_regions
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x1x2x1xf32>
// CHECK-NEXT: return
func.func @roialign_no_regions() -> tensor<0x1x2x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<> : tensor<0x4xf32>
  %x2 = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> {output_height = 2 : i64} : (tensor<1x1x6x6xf32>, tensor<0x4xf32>, tensor<0xi64>) -> tensor<0x1x2x1xf32>
  return %r : tensor<0x1x2x1xf32>
}

// -----

// CHECK-LABEL: @roialign_image_stays
// CHECK: onnx.RoiAlign(
func.func @roialign_image_stays() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[1.000000e+00, 1.000000e+00, 5.000000e+00, 5.000000e+00]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.RoiAlign not folded: index [0] is 1, the dimension is 1}}
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> : (tensor<1x1x6x6xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @roialign_nan_stays
// CHECK: onnx.RoiAlign(
func.func @roialign_nan_stays() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[1.000000e+00, 0x7FC00000, 5.000000e+00, 5.000000e+00]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.RoiAlign not folded: a region is not finite}}
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> : (tensor<1x1x6x6xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @roialign_infinity_stays
// CHECK: onnx.RoiAlign(
func.func @roialign_infinity_stays() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00], [0x7F800000, 3.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %x1 = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.RoiAlign not folded: element [0, 0, 1, 0] of input #0 is not finite}}
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> : (tensor<1x1x2x2xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// 10^16 points.
// CHECK-LABEL: @roialign_endless_stays
// CHECK: onnx.RoiAlign(
func.func @roialign_endless_stays() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+08, 1.000000e+08]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.RoiAlign not folded: takes 600000000000000000 units of work, more than 100000000000}}
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> : (tensor<1x1x6x6xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @roialign_mode_stays
// CHECK: onnx.RoiAlign(
func.func @roialign_mode_stays() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[1.000000e+00, 1.000000e+00, 5.000000e+00, 5.000000e+00]]> : tensor<1x4xf32>
  %x2 = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.RoiAlign not folded: attribute 'mode' is 'min', expected avg or max}}
  %r = onnx.RoiAlign(%x0, %x1, %x2) <{since = 16}> {mode = "min"} : (tensor<1x1x6x6xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}
