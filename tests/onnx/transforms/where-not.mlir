// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Where(Not(c), x, y) = Where(c, y, x) if nothing else reads the Not
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @only_reader
// CHECK-NOT: onnx.Not
// CHECK: %[[A:.*]] = onnx.Where(%arg0, %arg2, %arg1)
// CHECK: onnx.Custom(%[[A]])
func.func @only_reader(%c: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<1xf32> {
  %n = onnx.Not(%c) <{since = 1}> : (tensor<?xi1>) -> tensor<?xi1>
  %a = onnx.Where(%n, %x, %y) <{since = 9}>
    : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_readers_stay
// CHECK: %[[N:.*]] = onnx.Not(%arg0)
// CHECK: onnx.Where(%[[N]], %arg1, %arg2)
func.func @other_readers_stay(%c: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<1xf32> {
  %n = onnx.Not(%c) <{since = 1}> : (tensor<?xi1>) -> tensor<?xi1>
  %a = onnx.Where(%n, %x, %y) <{since = 9}>
    : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%n, %a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>, tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @a_value_stays
// CHECK: %[[N:.*]] = onnx.Not(%arg1)
// CHECK: onnx.Where(%arg0, %[[N]], %arg2)
func.func @a_value_stays(%c: tensor<?xi1>, %x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<1xf32> {
  %n = onnx.Not(%x) <{since = 1}> : (tensor<?xi1>) -> tensor<?xi1>
  %a = onnx.Where(%c, %n, %y) <{since = 9}>
    : (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
