// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the dimensions, sliced as Python slices a list.

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
