// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Concat(x, y) = x for y without elements along the axis; a y that is computed has
// the other sizes of x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @concat_empty
// CHECK: onnx.Custom(%arg0)
func.func @concat_empty(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %e = onnx.Constant dense<> : tensor<0x3xf32>
  %y = onnx.Concat(%x, %e) <{since = 13}> {axis = 0 : i64}
    : (tensor<?x3xf32>, tensor<0x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_empty_around
// CHECK: onnx.Custom(%arg0)
func.func @concat_empty_around(%x: tensor<4xi64>) -> tensor<1xf32> {
  %e = onnx.Constant dense<> : tensor<0xi64>
  %y = onnx.Concat(%e, %x, %e) <{since = 4}> {axis = 0 : i64}
    : (tensor<0xi64>, tensor<4xi64>, tensor<0xi64>) -> tensor<4xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_one_element_stays
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @concat_one_element_stays(%x: tensor<4xi64>) -> tensor<1xf32> {
  %e = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.Concat(%x, %e) <{since = 13}> {axis = 0 : i64}
    : (tensor<4xi64>, tensor<1xi64>) -> tensor<5xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<5xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// See concat-empty.
// CHECK-LABEL: @concat_two
// CHECK: %[[Y:.*]] = onnx.Concat(%arg0, %arg1)
// CHECK: onnx.Custom(%[[Y]])
func.func @concat_two(%x: tensor<4xi64>, %z: tensor<4xi64>) -> tensor<1xf32> {
  %e = onnx.Constant dense<> : tensor<0xi64>
  %y = onnx.Concat(%x, %e, %z) <{since = 13}> {axis = 0 : i64}
    : (tensor<4xi64>, tensor<0xi64>, tensor<4xi64>) -> tensor<8xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<8xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_perhaps_empty_stays
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @concat_perhaps_empty_stays(%x: tensor<?xi64>, %z: tensor<?xi64>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %z) <{since = 13}> {axis = 0 : i64}
    : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_computed_empty
// CHECK: onnx.Custom(%arg0)
func.func @concat_computed_empty(%x: tensor<4x3xf32>, %e: tensor<4x0xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %e) <{since = 13}> {axis = -1 : i64}
    : (tensor<4x3xf32>, tensor<4x0xf32>) -> tensor<4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_all_empty
// CHECK: onnx.Custom(%arg0)
func.func @concat_all_empty(%x: tensor<0x3xf32>, %e: tensor<0x3xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %e) <{since = 13}> {axis = 0 : i64}
    : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<0x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses sizes that differ, and still does.
// CHECK-LABEL: @concat_computed_empty_of_other_sizes_stays
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @concat_computed_empty_of_other_sizes_stays(%x: tensor<?x3xf32>, %e: tensor<?x0xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %e) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x3xf32>, tensor<?x0xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_empty_along_another_axis_stays
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @concat_empty_along_another_axis_stays(%x: tensor<0x3xf32>, %e: tensor<0x2xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %e) <{since = 13}> {axis = 1 : i64}
    : (tensor<0x3xf32>, tensor<0x2xf32>) -> tensor<0x5xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<0x5xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
