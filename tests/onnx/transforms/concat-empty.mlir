// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Concat(x, y, z) = Concat(x, z) for y without elements along the axis and with
// the other sizes of x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @middle
// CHECK: %[[Y:.*]] = onnx.Concat(%arg0, %arg2)
// CHECK: onnx.Custom(%[[Y]])
func.func @middle(%x: tensor<?xf32>, %e: tensor<0xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %e, %z) <{since = 13}> {axis = 0 : i64}
    : (tensor<?xf32>, tensor<0xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @columns
// CHECK: onnx.Concat(%arg1, %arg2) {{.*}}axis = -1
func.func @columns(%e: tensor<2x0xf32>, %x: tensor<2x3xf32>, %z: tensor<2x?xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%e, %x, %z) <{since = 13}> {axis = -1 : i64}
    : (tensor<2x0xf32>, tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @perhaps_empty_stays
// CHECK: onnx.Concat(%arg0, %arg1, %arg2)
func.func @perhaps_empty_stays(%x: tensor<?xf32>, %e: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %e, %z) <{since = 13}> {axis = 0 : i64}
    : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_sizes_may_differ_stays
// CHECK: onnx.Concat(%arg0, %arg1, %arg2)
func.func @other_sizes_may_differ_stays(%x: tensor<?x3xf32>, %e: tensor<?x0xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %e, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x3xf32>, tensor<?x0xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x6xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses it.
// CHECK-LABEL: @other_type_stays
// CHECK: onnx.Concat(%arg0, %arg1, %arg2)
func.func @other_type_stays(%x: tensor<?xf32>, %e: tensor<0xf64>, %z: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %e, %z) <{since = 13}> {axis = 0 : i64}
    : (tensor<?xf32>, tensor<0xf64>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
