// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Concat(Concat(x, y), z) = Concat(x, y, z)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @in_the_middle
// CHECK-NOT: onnx.Concat(%arg0
// CHECK: %[[Y:.*]] = onnx.Concat(%arg1, %arg0, %arg1, %arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @in_the_middle(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Concat(%z, %a, %x) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_axis_stays
// CHECK: %[[A:.*]] = onnx.Concat(%arg0, %arg1)
// CHECK: onnx.Concat(%arg1, %[[A]], 
func.func @other_axis_stays(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Concat(%x, %z) <{since = 13}> {axis = 0 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Concat(%z, %a, %x) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @read_twice_stays
// CHECK: %[[A:.*]] = onnx.Concat(%arg0, %arg1)
// CHECK: onnx.Concat(%arg1, %[[A]], 
func.func @read_twice_stays(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Concat(%x, %z) <{since = 13}> {axis = 0 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Concat(%z, %a, %a) <{since = 13}> {axis = 0 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
