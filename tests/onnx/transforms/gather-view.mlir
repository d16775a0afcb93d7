// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Unsqueeze(Gather(x, i)) = Gather(x, [i]) and Squeeze(Gather(x, [i])) = Gather(x, i) along the axis of the Gather, i constant
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @unsqueeze
// CHECK: %[[I:.*]] = onnx.Constant {{.*}}dense<2> : tensor<1xi32>
// CHECK: %[[Y:.*]] = onnx.Gather(%arg0, %[[I]]) {{.*}}axis = 1
// CHECK-NOT: onnx.Unsqueeze
// CHECK: onnx.Custom(%[[Y]])
func.func @unsqueeze(%x: tensor<?x4x?xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<2> : tensor<i32>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %g = onnx.Gather(%x, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x4x?xf32>, tensor<i32>) -> tensor<?x?xf32>
  %y = onnx.Unsqueeze(%g, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @squeeze_from_the_end
// CHECK: %[[I:.*]] = onnx.Constant {{.*}}dense<-1> : tensor<i64>
// CHECK: %[[Y:.*]] = onnx.Gather(%arg0, %[[I]]) {{.*}}axis = -1
// CHECK-NOT: onnx.Squeeze
// CHECK: onnx.Custom(%[[Y]])
func.func @squeeze_from_the_end(%x: tensor<?x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<-1> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %g = onnx.Gather(%x, %i) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %y = onnx.Squeeze(%g, %a) <{since = 13}>
    : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @another_axis_stays
// CHECK: onnx.Gather(
// CHECK: onnx.Unsqueeze(
func.func @another_axis_stays(%x: tensor<?x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<2> : tensor<i64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %g = onnx.Gather(%x, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x4xf32>, tensor<i64>) -> tensor<?xf32>
  %y = onnx.Unsqueeze(%g, %a) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @computed_index_stays
// CHECK: onnx.Gather(
// CHECK: onnx.Unsqueeze(
func.func @computed_index_stays(%x: tensor<?x4xf32>, %i: tensor<i64>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %g = onnx.Gather(%x, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x4xf32>, tensor<i64>) -> tensor<?xf32>
  %y = onnx.Unsqueeze(%g, %a) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_readers_stay
// CHECK: onnx.Gather(
// CHECK: onnx.Unsqueeze(
func.func @other_readers_stay(%x: tensor<?x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<2> : tensor<i64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %g = onnx.Gather(%x, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x4xf32>, tensor<i64>) -> tensor<?xf32>
  %y = onnx.Unsqueeze(%g, %a) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %r = onnx.Custom(%g, %y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>, tensor<?x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Several elements are no axis of size 1.
// CHECK-LABEL: @two_elements_stay
// CHECK: onnx.Gather(
// CHECK: onnx.Squeeze(
func.func @two_elements_stay(%x: tensor<1x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %g = onnx.Gather(%x, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<1x4xf32>, tensor<2xi64>) -> tensor<1x2xf32>
  %y = onnx.Squeeze(%g, %a) <{since = 13}>
    : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
