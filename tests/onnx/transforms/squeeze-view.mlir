// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Unsqueeze(Squeeze(x)) = Squeeze(x), Unsqueeze(x) or Reshape(x, s) if the axes are known to be of size 1
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @squeeze_is_left
// CHECK: %[[A:.*]] = onnx.Constant {{.*}}dense<2> : tensor<1xi64>
// CHECK: %[[Y:.*]] = onnx.Squeeze(%arg0, %[[A]])
// CHECK-NOT: onnx.Unsqueeze
// CHECK: onnx.Custom(%[[Y]])
func.func @squeeze_is_left(%x: tensor<?x1x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<1> : tensor<1xi64>
  %s = onnx.Squeeze(%x, %a) <{since = 13}>
    : (tensor<?x1x1xf32>, tensor<2xi64>) -> tensor<?xf32>
  %y = onnx.Unsqueeze(%s, %b) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_is_left
// CHECK: %[[A:.*]] = onnx.Constant {{.*}}dense<2> : tensor<1xi64>
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(%arg0, %[[A]])
// CHECK: onnx.Custom(%[[Y]])
func.func @unsqueeze_is_left(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %b = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %s = onnx.Squeeze(%x, %a) <{since = 13}>
    : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?xf32>
  %y = onnx.Unsqueeze(%s, %b) <{since = 13}>
    : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x1x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @moved_axis_is_a_reshape
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[0, 8, 1]> : tensor<3xi64>
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @moved_axis_is_a_reshape(%x: tensor<?x1x8xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %b = onnx.Constant dense<-1> : tensor<1xi64>
  %s = onnx.Squeeze(%x, %a) <{since = 13}>
    : (tensor<?x1x8xf32>, tensor<1xi64>) -> tensor<?x8xf32>
  %y = onnx.Unsqueeze(%s, %b) <{since = 13}>
    : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<?x8x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The Squeeze refuses other sizes, and still does.
// CHECK-LABEL: @unknown_size_stays
// CHECK: onnx.Squeeze(
// CHECK: onnx.Unsqueeze(
func.func @unknown_size_stays(%x: tensor<4x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %b = onnx.Constant dense<0> : tensor<1xi64>
  %s = onnx.Squeeze(%x, %a) <{since = 13}>
    : (tensor<4x?xf32>, tensor<1xi64>) -> tensor<4xf32>
  %y = onnx.Unsqueeze(%s, %b) <{since = 13}>
    : (tensor<4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// No target says which of two open sizes is where.
// CHECK-LABEL: @two_open_sizes_stay
// CHECK: onnx.Squeeze(
// CHECK: onnx.Unsqueeze(
func.func @two_open_sizes_stay(%x: tensor<1x?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %b = onnx.Constant dense<2> : tensor<1xi64>
  %s = onnx.Squeeze(%x, %a) <{since = 13}>
    : (tensor<1x?x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %y = onnx.Unsqueeze(%s, %b) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x?x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_readers_stay
// CHECK: onnx.Squeeze(
// CHECK: onnx.Unsqueeze(
func.func @other_readers_stay(%x: tensor<4x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %b = onnx.Constant dense<0> : tensor<1xi64>
  %s = onnx.Squeeze(%x, %a) <{since = 13}>
    : (tensor<4x1xf32>, tensor<1xi64>) -> tensor<4xf32>
  %y = onnx.Unsqueeze(%s, %b) <{since = 13}>
    : (tensor<4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %r = onnx.Custom(%s, %y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
