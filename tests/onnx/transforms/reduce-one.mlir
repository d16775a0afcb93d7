// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// ReduceMax, ReduceMin and ReduceProd of x along axes of size 1 = x, or Squeeze(x); also ReduceSum and ReduceMean of integers
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @kept_axis
// CHECK-NOT: onnx.ReduceMax(
// CHECK: onnx.Custom(%arg0)
func.func @kept_axis(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %y = onnx.ReduceMax(%x, %a) <{since = 18}> : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropped_axis
// CHECK: onnx.Squeeze(%arg0
func.func @dropped_axis(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<-1> : tensor<1xi64>
  %y = onnx.ReduceMax(%x, %a) <{since = 18}> {keepdims = 0 : i64} : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @open_axis_stays
// CHECK: onnx.ReduceMax(
func.func @open_axis_stays(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.ReduceMax(%x, %a) <{since = 18}> : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<1x1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// 0 + -0 is 0.
// CHECK-LABEL: @sum_of_floats_stays
// CHECK: onnx.ReduceSum(
func.func @sum_of_floats_stays(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %y = onnx.ReduceSum(%x, %a) <{since = 13}> : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
