// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.tile.

// CHECK-LABEL: @tile_once
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @tile_once() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @tile_zero
// CHECK: onnx.Constant dense<> : tensor<0x4xf32>
// CHECK-NEXT: return
func.func @tile_zero() -> tensor<0x4xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// -----

// CHECK-LABEL: @tile_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @tile_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<[3, 1]> : tensor<2xi64>
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<0x2xf32>, tensor<2xi64>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @tile_rank_0
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @tile_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @tile_string
// CHECK: onnx.Constant dense<["a", "b", "a", "b"]> : tensor<4x!onnx.string>
// CHECK-NEXT: return
func.func @tile_string() -> tensor<4x!onnx.string> {
  %x = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<2x!onnx.string>, tensor<1xi64>) -> tensor<4x!onnx.string>
  return %r : tensor<4x!onnx.string>
}

// -----

// CHECK-LABEL: @tile_negative_stays
// CHECK: onnx.Tile(
func.func @tile_negative_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Tile not folded: repeats are [1, -1], expected one for each dimension of [2, 2]}}
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @tile_short_stays
// CHECK: onnx.Tile(
func.func @tile_short_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Tile not folded: repeats are [2], expected one for each dimension of [2, 2]}}
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @tile_huge_stays
// CHECK: onnx.Tile(
func.func @tile_huge_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[1099511627776, 1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Tile not folded: the result has shape [2199023255552, 2], more than 1073741824 bytes}}
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @tile_overflow_stays
// CHECK: onnx.Tile(
func.func @tile_overflow_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<4611686018427387904> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Tile not folded: the result has shape [2, 2, 4611686018427387904, 4611686018427387904], more than 1073741824 bytes}}
  %r = onnx.Tile(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Version 1 repeats along one axis; count and axis have the type of the data.
// CHECK-LABEL: @tile_v1
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: return
func.func @tile_v1() -> tensor<2x4xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %tiles = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %axis = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %r = onnx.Tile(%x, %tiles, %axis) <{since = 1}> : (tensor<2x2xf32>, tensor<1xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @tile_v1_fraction_stays
// CHECK: onnx.Tile(
func.func @tile_v1_fraction_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %tiles = onnx.Constant dense<1.500000e+00> : tensor<f32>
  %axis = onnx.Constant dense<0.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Tile not folded: tiles and axis are not whole numbers}}
  %r = onnx.Tile(%x, %tiles, %axis) <{since = 1}> : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @tile_v1_axis_stays
// CHECK: onnx.Tile(
func.func @tile_v1_axis_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %tiles = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %axis = onnx.Constant dense<1.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Tile not folded: the axes are [1], expected different ones of 1}}
  %r = onnx.Tile(%x, %tiles, %axis) <{since = 1}> : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// (d, 3, d, 3)[3].
// CHECK-LABEL: @tile_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<i64>
// CHECK: return %[[R]]
func.func @tile_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<2> : tensor<1xi64>
  %m = onnx.Tile(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<1xi64>) -> tensor<4xi64>
  %i = onnx.Constant dense<3> : tensor<i64>
  %r = onnx.Gather(%m, %i) <{since = 13}> : (tensor<4xi64>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}
