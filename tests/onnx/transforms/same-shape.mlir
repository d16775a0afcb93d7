// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Reshape, Flatten, Squeeze, Unsqueeze, Expand and Tile of x to the shape of x = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @reshape_to_own_shape
// CHECK: onnx.Custom(%arg0)
func.func @reshape_to_own_shape(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_zeros_copy
// CHECK: onnx.Custom(%arg0)
func.func @reshape_zeros_copy(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, 3]> : tensor<2xi64>
  %y = onnx.Reshape(%x, %s) <{since = 13}>
    : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_to_shape_of_x
// CHECK: onnx.Custom(%arg0)
func.func @reshape_to_shape_of_x(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Shape(%x) <{since = 15}>
    : (tensor<?x?xf32>) -> tensor<2xi64>
  %y = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_1_attribute
// CHECK: onnx.Custom(%arg0)
func.func @reshape_1_attribute(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %y = onnx.Reshape(%x) <{since = 1}> {shape = array<i64: 2, 3>}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @flatten_matrix
// CHECK: onnx.Custom(%arg0)
func.func @flatten_matrix(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %y = onnx.Flatten(%x) <{since = 13}>
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @squeeze_no_axes
// CHECK: onnx.Custom(%arg0)
func.func @squeeze_no_axes(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %y = onnx.Squeeze(%x) <{since = 13}>
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @expand_to_ones
// CHECK: onnx.Custom(%arg0)
func.func @expand_to_ones(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<2xi64>
  %y = onnx.Expand(%x, %s) <{since = 13}>
    : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @expand_lower_rank
// CHECK: onnx.Custom(%arg0)
func.func @expand_lower_rank(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<3> : tensor<1xi64>
  %y = onnx.Expand(%x, %s) <{since = 8}>
    : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @tile_once
// CHECK: onnx.Custom(%arg0)
func.func @tile_once(%x: tensor<4x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<2xi64>
  %y = onnx.Tile(%x, %s) <{since = 13}>
    : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Types are equal, dimensions only by accident.
// CHECK-LABEL: @reshape_other_dims_stays
// CHECK: %[[Y:.*]] = onnx.Reshape(
// CHECK: onnx.Custom(%[[Y]])
func.func @reshape_other_dims_stays(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Shape(%z) <{since = 15}>
    : (tensor<?x?xf32>) -> tensor<2xi64>
  %y = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_to_unknown_stays
// CHECK: %[[Y:.*]] = onnx.Reshape(
// CHECK: onnx.Custom(%[[Y]])
func.func @reshape_to_unknown_stays(%x: tensor<2x?xf32>, %s: tensor<2xi64>) -> tensor<1xf32> {
  %y = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<2x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_swapped_stays
// CHECK: %[[Y:.*]] = onnx.Reshape(
// CHECK: onnx.Custom(%[[Y]])
func.func @reshape_swapped_stays(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[3, 2]> : tensor<2xi64>
  %y = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Here 0 is no copy of the dimension.
// CHECK-LABEL: @reshape_allowzero_stays
// CHECK: %[[Y:.*]] = onnx.Reshape(
// CHECK: onnx.Custom(%[[Y]])
func.func @reshape_allowzero_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, 3]> : tensor<2xi64>
  %y = onnx.Reshape(%x, %s) <{since = 14}> {allowzero = 1 : i64}
    : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<0x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<0x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @expand_grows_stays
// CHECK: %[[Y:.*]] = onnx.Expand(
// CHECK: onnx.Custom(%[[Y]])
func.func @expand_grows_stays(%x: tensor<1x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.Expand(%x, %s) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The dimension may be 1.
// CHECK-LABEL: @expand_dynamic_stays
// CHECK: %[[Y:.*]] = onnx.Expand(
// CHECK: onnx.Custom(%[[Y]])
func.func @expand_dynamic_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %y = onnx.Expand(%x, %s) <{since = 13}>
    : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @tile_twice_stays
// CHECK: %[[Y:.*]] = onnx.Tile(
// CHECK: onnx.Custom(%[[Y]])
func.func @tile_twice_stays(%x: tensor<1x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %y = onnx.Tile(%x, %s) <{since = 13}>
    : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_stays
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(
// CHECK: onnx.Custom(%[[Y]])
func.func @unsqueeze_stays(%x: tensor<1xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.Unsqueeze(%x, %s) <{since = 13}>
    : (tensor<1xf32>, tensor<1xi64>) -> tensor<1x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @squeeze_unknown_rank_stays
// CHECK: %[[Y:.*]] = onnx.Squeeze(
// CHECK: onnx.Custom(%[[Y]])
func.func @squeeze_unknown_rank_stays(%x: tensor<*xf32>) -> tensor<1xf32> {
  %y = onnx.Squeeze(%x) <{since = 13}>
    : (tensor<*xf32>) -> tensor<*xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<*xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
