// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Unsqueeze, Squeeze and Flatten of Reshape(x, s) = Reshape(x, t), s and t constant
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @unsqueeze
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[-1, 1, 3, 4]>
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @unsqueeze(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 3, 4]> : tensor<3xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x3x4xf32>
  %y = onnx.Unsqueeze(%a, %p) <{since = 13}>
    : (tensor<?x3x4xf32>, tensor<1xi64>) -> tensor<?x1x3x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x3x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 0 copies the size of the same place.
// CHECK-LABEL: @copy_stays
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[0, 1, 3, 4]>
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @copy_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, 3, 4]> : tensor<3xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x3x4xf32>
  %y = onnx.Unsqueeze(%a, %p) <{since = 13}>
    : (tensor<?x3x4xf32>, tensor<1xi64>) -> tensor<?x1x3x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x3x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @copy_is_known
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[1, 3, -1]>
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @copy_is_known(%x: tensor<3x?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, -1]> : tensor<2xi64>
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<3x?x?xf32>, tensor<2xi64>) -> tensor<3x?xf32>
  %y = onnx.Unsqueeze(%a, %p) <{since = 13}>
    : (tensor<3x?xf32>, tensor<1xi64>) -> tensor<1x3x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x3x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// All others are known, and as many: what is copied is what is left.
// CHECK-LABEL: @copy_is_the_rest
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[1, 6, -1, 2, 4]>
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @copy_is_the_rest(%x: tensor<6x?x8xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[6, 0, 2, 4]> : tensor<4xi64>
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<6x?x8xf32>, tensor<4xi64>) -> tensor<6x?x2x4xf32>
  %y = onnx.Unsqueeze(%a, %p) <{since = 13}>
    : (tensor<6x?x2x4xf32>, tensor<1xi64>) -> tensor<1x6x?x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x6x?x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @squeeze
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[-1, 4]>
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @squeeze(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 1, 4]> : tensor<3xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x1x4xf32>
  %y = onnx.Squeeze(%a, %p) <{since = 13}>
    : (tensor<?x1x4xf32>, tensor<1xi64>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @flatten
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[-1, 12]>
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @flatten(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 3, 4]> : tensor<3xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x3x4xf32>
  %y = onnx.Flatten(%a) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x3x4xf32>) -> tensor<?x12xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x12xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Copied from another place it would be another size.
// CHECK-LABEL: @copy_moves
// CHECK: onnx.Reshape(%arg0
// CHECK: onnx.Unsqueeze(
func.func @copy_moves(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, 3, 4]> : tensor<3xi64>
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x3x4xf32>
  %y = onnx.Unsqueeze(%a, %p) <{since = 13}>
    : (tensor<?x3x4xf32>, tensor<1xi64>) -> tensor<1x?x3x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x?x3x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// [1, 6, -1, 2, 4] would take what [6, 0, 2, 4] refuses.
// CHECK-LABEL: @copy_may_not_fit
// CHECK: onnx.Reshape(%arg0
// CHECK: onnx.Unsqueeze(
func.func @copy_may_not_fit(%x: tensor<6x?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[6, 0, 2, 4]> : tensor<4xi64>
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<6x?x?xf32>, tensor<4xi64>) -> tensor<6x?x2x4xf32>
  %y = onnx.Unsqueeze(%a, %p) <{since = 13}>
    : (tensor<6x?x2x4xf32>, tensor<1xi64>) -> tensor<1x6x?x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x6x?x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// It may be something else than 1.
// CHECK-LABEL: @rest_is_squeezed
// CHECK: onnx.Reshape(%arg0
// CHECK: onnx.Squeeze(
func.func @rest_is_squeezed(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %y = onnx.Squeeze(%a, %p) <{since = 13}>
    : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// [-1, 4] would take what is no multiple of 12.
// CHECK-LABEL: @rest_of_a_multiple
// CHECK: onnx.Reshape(%arg0
// CHECK: onnx.Flatten(
func.func @rest_of_a_multiple(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 3, 4]> : tensor<3xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x3x4xf32>
  %y = onnx.Flatten(%a) <{since = 13}> {axis = 2 : i64}
    : (tensor<?x3x4xf32>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zero_is_a_size
// CHECK: onnx.Reshape(%arg0
// CHECK: onnx.Unsqueeze(
func.func @zero_is_a_size(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, 3]> : tensor<2xi64>
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}> {allowzero = 1 : i64}
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<0x3xf32>
  %y = onnx.Unsqueeze(%a, %p) <{since = 13}>
    : (tensor<0x3xf32>, tensor<1xi64>) -> tensor<1x0x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x0x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
