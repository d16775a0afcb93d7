// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Concat(Split(x)) = x, of all parts in order
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @all_parts
// CHECK-NOT: onnx.{{Concat|Split}}(
// CHECK: onnx.Custom(%arg0)
func.func @all_parts(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p:2 = onnx.Split(%x) <{since = 18}> {axis = 1 : i64, num_outputs = 2 : i64}
    : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %y = onnx.Concat(%p#0, %p#1) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @all_parts_other_sign
// CHECK-NOT: onnx.{{Concat|Split}}(
// CHECK: onnx.Custom(%arg0)
func.func @all_parts_other_sign(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p:3 = onnx.Split(%x) <{since = 18}> {axis = 1 : i64, num_outputs = 3 : i64}
    : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
  %y = onnx.Concat(%p#0, %p#1, %p#2) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @another_order_stays
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @another_order_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p:2 = onnx.Split(%x) <{since = 18}> {axis = 1 : i64, num_outputs = 2 : i64}
    : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %y = onnx.Concat(%p#1, %p#0) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @some_parts_stay
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @some_parts_stay(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p:3 = onnx.Split(%x) <{since = 18}> {axis = 1 : i64, num_outputs = 3 : i64}
    : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
  %y = onnx.Concat(%p#0, %p#1) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @another_axis_stays
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @another_axis_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p:2 = onnx.Split(%x) <{since = 18}> {axis = 1 : i64, num_outputs = 2 : i64}
    : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %y = onnx.Concat(%p#0, %p#1) <{since = 13}> {axis = 0 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @twice_stays
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @twice_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p:2 = onnx.Split(%x) <{since = 18}> {axis = 1 : i64, num_outputs = 2 : i64}
    : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %y = onnx.Concat(%p#0, %p#1, %p#1) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
