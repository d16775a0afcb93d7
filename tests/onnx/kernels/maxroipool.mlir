// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, as Fast R-CNN has it.

// CHECK-LABEL: @maxroipool_bins_overlap
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.100000e+01, 1.200000e+01], [2.100000e+01, 2.200000e+01]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @maxroipool_bins_overlap() -> tensor<1x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<1x5xf32>
  %r = onnx.MaxRoiPool(%x0, %x1) <{since = 22}> {pooled_shape = array<i64: 2, 2>} : (tensor<1x1x6x6xf32>, tensor<1x5xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// 0.5 and 2.5 become 1 and 3.
// CHECK-LABEL: @maxroipool_scale_rounds
// CHECK{LITERAL}: onnx.Constant dense<3.300000e+01> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @maxroipool_scale_rounds() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 1.000000e+00, 5.000000e+00, 5.000000e+00]]> : tensor<1x5xf32>
  %r = onnx.MaxRoiPool(%x0, %x1) <{since = 1}> {pooled_shape = array<i64: 1, 1>, spatial_scale = 0.5 : f32} : (tensor<1x1x6x6xf32>, tensor<1x5xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @maxroipool_outside_is_0
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @maxroipool_outside_is_0() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[0.000000e+00, 9.000000e+00, 9.000000e+00, 1.000000e+01, 1.000000e+01]]> : tensor<1x5xf32>
  %r = onnx.MaxRoiPool(%x0, %x1) <{since = 1}> {pooled_shape = array<i64: 1, 1>} : (tensor<1x1x6x6xf32>, tensor<1x5xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @maxroipool_image_stays
// CHECK: onnx.MaxRoiPool(
func.func @maxroipool_image_stays() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]> : tensor<1x5xf32>
  // expected-remark @+1 {{onnx.MaxRoiPool not folded: region element [0, 0] is not an image}}
  %r = onnx.MaxRoiPool(%x0, %x1) <{since = 1}> {pooled_shape = array<i64: 1, 1>} : (tensor<1x1x6x6xf32>, tensor<1x5xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @maxroipool_nan_stays
// CHECK: onnx.MaxRoiPool(
func.func @maxroipool_nan_stays() -> tensor<1x1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01, 1.500000e+01], [2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01, 2.500000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01, 3.500000e+01], [4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01, 4.500000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01, 5.500000e+01]]]]> : tensor<1x1x6x6xf32>
  %x1 = onnx.Constant dense<[[0.000000e+00, 0x7FC00000, 0.000000e+00, 1.000000e+00, 1.000000e+00]]> : tensor<1x5xf32>
  // expected-remark @+1 {{onnx.MaxRoiPool not folded: region element [0, 1] is out of range}}
  %r = onnx.MaxRoiPool(%x0, %x1) <{since = 1}> {pooled_shape = array<i64: 1, 1>} : (tensor<1x1x6x6xf32>, tensor<1x5xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}
