// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the dimensions, sliced as Python slices a list.

// CHECK-LABEL: @shape_f32
// CHECK: onnx.Constant dense<[2, 3]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @shape_f32() -> tensor<2xi64> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.Shape(%x) <{since = 1}> : (tensor<2x3xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @shape_rank_0
// CHECK: onnx.Constant dense<> : tensor<0xi64>
// CHECK-NEXT: return
func.func @shape_rank_0() -> tensor<0xi64> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %r = onnx.Shape(%x) <{since = 13}> : (tensor<f32>) -> tensor<0xi64>
  return %r : tensor<0xi64>
}

// -----

// CHECK-LABEL: @shape_string_empty
// CHECK: onnx.Constant dense<[0, 4]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @shape_string_empty() -> tensor<2xi64> {
  %x = onnx.Constant dense<> : tensor<0x4x!onnx.string>
  %r = onnx.Shape(%x) <{since = 13}> : (tensor<0x4x!onnx.string>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// Only the type is looked at.
// CHECK-LABEL: @shape_not_constant
// CHECK: onnx.Constant dense<[4, 3]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @shape_not_constant(%x: tensor<4x3xf32>) -> tensor<2xi64> {
  %r = onnx.Shape(%x) <{since = 13}> : (tensor<4x3xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @shape_start_end
// CHECK: onnx.Constant dense<[3, 4]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @shape_start_end() -> tensor<2xi64> {
  %x = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01], [1.500000e+01, 1.600000e+01, 1.700000e+01, 1.800000e+01, 1.900000e+01]], [[2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01], [2.500000e+01, 2.600000e+01, 2.700000e+01, 2.800000e+01, 2.900000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01], [3.500000e+01, 3.600000e+01, 3.700000e+01, 3.800000e+01, 3.900000e+01]], [[4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01], [4.500000e+01, 4.600000e+01, 4.700000e+01, 4.800000e+01, 4.900000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01], [5.500000e+01, 5.600000e+01, 5.700000e+01, 5.800000e+01, 5.900000e+01]]], [[[6.000000e+01, 6.100000e+01, 6.200000e+01, 6.300000e+01, 6.400000e+01], [6.500000e+01, 6.600000e+01, 6.700000e+01, 6.800000e+01, 6.900000e+01], [7.000000e+01, 7.100000e+01, 7.200000e+01, 7.300000e+01, 7.400000e+01], [7.500000e+01, 7.600000e+01, 7.700000e+01, 7.800000e+01, 7.900000e+01]], [[8.000000e+01, 8.100000e+01, 8.200000e+01, 8.300000e+01, 8.400000e+01], [8.500000e+01, 8.600000e+01, 8.700000e+01, 8.800000e+01, 8.900000e+01], [9.000000e+01, 9.100000e+01, 9.200000e+01, 9.300000e+01, 9.400000e+01], [9.500000e+01, 9.600000e+01, 9.700000e+01, 9.800000e+01, 9.900000e+01]], [[1.000000e+02, 1.010000e+02, 1.020000e+02, 1.030000e+02, 1.040000e+02], [1.050000e+02, 1.060000e+02, 1.070000e+02, 1.080000e+02, 1.090000e+02], [1.100000e+02, 1.110000e+02, 1.120000e+02, 1.130000e+02, 1.140000e+02], [1.150000e+02, 1.160000e+02, 1.170000e+02, 1.180000e+02, 1.190000e+02]]]]> : tensor<2x3x4x5xf32>
  %r = onnx.Shape(%x) <{since = 15}> {start = 1 : i64, end = 3 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @shape_negative
// CHECK: onnx.Constant dense<[3, 4]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @shape_negative() -> tensor<2xi64> {
  %x = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00], [1.000000e+01, 1.100000e+01, 1.200000e+01, 1.300000e+01, 1.400000e+01], [1.500000e+01, 1.600000e+01, 1.700000e+01, 1.800000e+01, 1.900000e+01]], [[2.000000e+01, 2.100000e+01, 2.200000e+01, 2.300000e+01, 2.400000e+01], [2.500000e+01, 2.600000e+01, 2.700000e+01, 2.800000e+01, 2.900000e+01], [3.000000e+01, 3.100000e+01, 3.200000e+01, 3.300000e+01, 3.400000e+01], [3.500000e+01, 3.600000e+01, 3.700000e+01, 3.800000e+01, 3.900000e+01]], [[4.000000e+01, 4.100000e+01, 4.200000e+01, 4.300000e+01, 4.400000e+01], [4.500000e+01, 4.600000e+01, 4.700000e+01, 4.800000e+01, 4.900000e+01], [5.000000e+01, 5.100000e+01, 5.200000e+01, 5.300000e+01, 5.400000e+01], [5.500000e+01, 5.600000e+01, 5.700000e+01, 5.800000e+01, 5.900000e+01]]], [[[6.000000e+01, 6.100000e+01, 6.200000e+01, 6.300000e+01, 6.400000e+01], [6.500000e+01, 6.600000e+01, 6.700000e+01, 6.800000e+01, 6.900000e+01], [7.000000e+01, 7.100000e+01, 7.200000e+01, 7.300000e+01, 7.400000e+01], [7.500000e+01, 7.600000e+01, 7.700000e+01, 7.800000e+01, 7.900000e+01]], [[8.000000e+01, 8.100000e+01, 8.200000e+01, 8.300000e+01, 8.400000e+01], [8.500000e+01, 8.600000e+01, 8.700000e+01, 8.800000e+01, 8.900000e+01], [9.000000e+01, 9.100000e+01, 9.200000e+01, 9.300000e+01, 9.400000e+01], [9.500000e+01, 9.600000e+01, 9.700000e+01, 9.800000e+01, 9.900000e+01]], [[1.000000e+02, 1.010000e+02, 1.020000e+02, 1.030000e+02, 1.040000e+02], [1.050000e+02, 1.060000e+02, 1.070000e+02, 1.080000e+02, 1.090000e+02], [1.100000e+02, 1.110000e+02, 1.120000e+02, 1.130000e+02, 1.140000e+02], [1.150000e+02, 1.160000e+02, 1.170000e+02, 1.180000e+02, 1.190000e+02]]]]> : tensor<2x3x4x5xf32>
  %r = onnx.Shape(%x) <{since = 15}> {start = -3 : i64, end = -1 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @shape_clamped
// CHECK: onnx.Constant dense<[2, 3]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @shape_clamped() -> tensor<2xi64> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.Shape(%x) <{since = 15}> {start = -7 : i64, end = 9 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @shape_extremes
// CHECK: onnx.Constant dense<[2, 3]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @shape_extremes() -> tensor<2xi64> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.Shape(%x) <{since = 15}> {start = -9223372036854775808 : i64, end = 9223372036854775807 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @shape_start_after_end
// CHECK: onnx.Constant dense<> : tensor<0xi64>
// CHECK-NEXT: return
func.func @shape_start_after_end() -> tensor<0xi64> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.Shape(%x) <{since = 15}> {start = 2 : i64, end = 1 : i64} : (tensor<2x3xf32>) -> tensor<0xi64>
  return %r : tensor<0xi64>
}

// -----

// The unknown dimension is not asked for.
// CHECK-LABEL: @shape_known_part
// CHECK: onnx.Constant dense<[3, 5]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @shape_known_part(%x: tensor<?x3x5xf32>) -> tensor<2xi64> {
  %r = onnx.Shape(%x) <{since = 15}> {start = 1 : i64} : (tensor<?x3x5xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @shape_partly_known_stays
// CHECK: onnx.Shape(
func.func @shape_partly_known_stays(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %r = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @shape_unranked_stays
// CHECK: onnx.Shape(
func.func @shape_unranked_stays(%x: tensor<*xf32>) -> tensor<?xi64> {
  %r = onnx.Shape(%x) <{since = 15}> : (tensor<*xf32>) -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: @shape_symbols_known_element
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<i64>
// CHECK: return %[[R]]
func.func @shape_symbols_known_element(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%s, %i) <{since = 13}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}
