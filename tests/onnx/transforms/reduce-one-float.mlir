// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s

// ReduceSum and ReduceMean of floats along axes of size 1 = x, or Squeeze(x): 0 ulp, -0 is kept
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @kept_axis
// CHECK-NOT: onnx.ReduceMean(
// CHECK: onnx.Custom(%arg0)
func.func @kept_axis(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %y = onnx.ReduceMean(%x, %a) <{since = 18}> : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropped_axis
// CHECK: onnx.Squeeze(%arg0
func.func @dropped_axis(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<-1> : tensor<1xi64>
  %y = onnx.ReduceMean(%x, %a) <{since = 18}> {keepdims = 0 : i64} : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @open_axis_stays
// CHECK: onnx.ReduceMean(
func.func @open_axis_stays(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.ReduceMean(%x, %a) <{since = 18}> : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<1x1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
