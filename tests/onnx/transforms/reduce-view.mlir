// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Unsqueeze and Squeeze of a reduction along the axes that it reduced = the
// reduction with other keepdims
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @kept
// CHECK-NOT: onnx.Unsqueeze(
// CHECK: %[[Y:.*]] = onnx.ReduceMean(%arg0, %{{.*}}) {{.*}}keepdims = 1
// CHECK: onnx.Custom(%[[Y]]
func.func @kept(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %v = onnx.Constant dense<1> : tensor<1xi64>
  %m = onnx.ReduceMean(%x, %a) <{since = 18}> {keepdims = 0 : i64}
    : (tensor<?x3x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %y = onnx.Unsqueeze(%m, %v) <{since = 25}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @kept_from_the_end
// CHECK-NOT: onnx.Unsqueeze(
// CHECK: %[[Y:.*]] = onnx.ReduceMean(%arg0, %{{.*}}) {{.*}}keepdims = 1
// CHECK: onnx.Custom(%[[Y]]
func.func @kept_from_the_end(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<-2> : tensor<1xi64>
  %v = onnx.Constant dense<1> : tensor<1xi64>
  %m = onnx.ReduceMean(%x, %a) <{since = 18}> {keepdims = 0 : i64}
    : (tensor<?x3x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %y = onnx.Unsqueeze(%m, %v) <{since = 25}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropped
// CHECK-NOT: onnx.Squeeze(
// CHECK: %[[Y:.*]] = onnx.ReduceSum(%arg0, %{{.*}}) {{.*}}keepdims = 0
// CHECK: onnx.Custom(%[[Y]]
func.func @dropped(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %v = onnx.Constant dense<1> : tensor<1xi64>
  %m = onnx.ReduceSum(%x, %a) <{since = 13}> {keepdims = 1 : i64}
    : (tensor<?x3x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %y = onnx.Squeeze(%m, %v) <{since = 25}>
    : (tensor<?x1x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @index
// CHECK-NOT: onnx.Unsqueeze(
// CHECK: %[[Y:.*]] = onnx.ArgMax(%arg0) {{.*}}keepdims = 1
// CHECK: onnx.Custom(%[[Y]]
func.func @index(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %v = onnx.Constant dense<1> : tensor<1xi64>
  %m = onnx.ArgMax(%x) <{since = 13}> {axis = 1 : i64, keepdims = 0 : i64}
    : (tensor<?x3x?xf32>) -> tensor<?x?xi64>
  %y = onnx.Unsqueeze(%m, %v) <{since = 25}>
    : (tensor<?x?xi64>, tensor<1xi64>) -> tensor<?x1x?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @two_axes
// CHECK-NOT: onnx.Unsqueeze(
// CHECK: %[[Y:.*]] = onnx.ReduceMean(%arg0, %{{.*}}) {{.*}}keepdims = 1
// CHECK: onnx.Custom(%[[Y]]
func.func @two_axes(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<[2, 0]> : tensor<2xi64>
  %v = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %m = onnx.ReduceMean(%x, %a) <{since = 18}> {keepdims = 0 : i64}
    : (tensor<?x3x?xf32>, tensor<2xi64>) -> tensor<3xf32>
  %y = onnx.Unsqueeze(%m, %v) <{since = 25}>
    : (tensor<3xf32>, tensor<2xi64>) -> tensor<1x3x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x3x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @all_axes
// CHECK-NOT: onnx.Unsqueeze(
// CHECK: %[[Y:.*]] = onnx.ReduceMean(%arg0) {{.*}}keepdims = 1
// CHECK: onnx.Custom(%[[Y]]
func.func @all_axes(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<[0, 1, 2]> : tensor<3xi64>
  %v = onnx.Constant dense<[0, 1, 2]> : tensor<3xi64>
  %m = onnx.ReduceMean(%x) <{since = 18}> {keepdims = 0 : i64}
    : (tensor<?x3x?xf32>) -> tensor<f32>
  %y = onnx.Unsqueeze(%m, %v) <{since = 25}>
    : (tensor<f32>, tensor<3xi64>) -> tensor<1x1x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x1x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_axes_stay
// CHECK: onnx.ReduceMean(
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(
// CHECK: onnx.Custom(%[[Y]]
func.func @other_axes_stay(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %v = onnx.Constant dense<0> : tensor<1xi64>
  %m = onnx.ReduceMean(%x, %a) <{since = 18}> {keepdims = 0 : i64}
    : (tensor<?x3x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %y = onnx.Unsqueeze(%m, %v) <{since = 25}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<1x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @some_axes_stay
// CHECK: onnx.ReduceMean(
// CHECK: %[[Y:.*]] = onnx.Squeeze(
// CHECK: onnx.Custom(%[[Y]]
func.func @some_axes_stay(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %v = onnx.Constant dense<0> : tensor<1xi64>
  %m = onnx.ReduceMean(%x, %a) <{since = 18}> {keepdims = 1 : i64}
    : (tensor<?x3x?xf32>, tensor<2xi64>) -> tensor<1x3x1xf32>
  %y = onnx.Squeeze(%m, %v) <{since = 25}>
    : (tensor<1x3x1xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @squeezed_other_axis_stays
// CHECK: onnx.ReduceMean(
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(
// CHECK: onnx.Custom(%[[Y]]
func.func @squeezed_other_axis_stays(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %v = onnx.Constant dense<1> : tensor<1xi64>
  %m = onnx.ReduceMean(%x, %a) <{since = 18}> {keepdims = 1 : i64}
    : (tensor<?x3x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %y = onnx.Unsqueeze(%m, %v) <{since = 25}>
    : (tensor<?x1x?xf32>, tensor<1xi64>) -> tensor<?x1x1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @somebody_else_reads_it_stays
// CHECK: onnx.ReduceMean(
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(
// CHECK: onnx.Custom(%[[Y]]
func.func @somebody_else_reads_it_stays(%x: tensor<?x3x?xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %v = onnx.Constant dense<1> : tensor<1xi64>
  %m = onnx.ReduceMean(%x, %a) <{since = 18}> {keepdims = 0 : i64}
    : (tensor<?x3x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %y = onnx.Unsqueeze(%m, %v) <{since = 25}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %r = onnx.Custom(%y, %m) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?xf32>, tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
