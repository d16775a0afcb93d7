// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// LSTM, GRU and RNN with initial states of zeros = without them
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// A slice of zeros of the batch at hand, as PyTorch writes it.
// CHECK-LABEL: @lstm
// CHECK-NOT: onnx.Slice(
// CHECK-NOT: onnx.ConstantOfShape(
// CHECK: onnx.LSTM(%arg0, %arg1, %arg2)
func.func @lstm(%x: tensor<?x?x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>) -> tensor<1xf32> {
  %s = onnx.Shape(%x) <{since = 15}> {start = 1 : i64, end = 2 : i64}
    : (tensor<?x?x4xf32>) -> tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %h = onnx.Constant dense<3> : tensor<1xi64>
  %t = onnx.Concat(%two, %s, %h) <{since = 13}> {axis = 0 : i64}
    : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %z = onnx.ConstantOfShape(%t) <{since = 9}>
    : (tensor<3xi64>) -> tensor<?x?x3xf32>
  %i = onnx.Slice(%z, %zero, %one, %zero) <{since = 13}>
    : (tensor<?x?x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x?x3xf32>
  %none = onnx.Absent
  %y:3 = onnx.LSTM(%x, %w, %r, %none, %none, %i, %i) <{since = 14}> {hidden_size = 3 : i64}
    : (tensor<?x?x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, none, none, tensor<1x?x3xf32>, tensor<1x?x3xf32>) -> (tensor<?x1x?x3xf32>, tensor<1x?x3xf32>, tensor<1x?x3xf32>)
  %u = onnx.Custom(%y#0) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?x3xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gru
// CHECK-NOT: onnx.ConstantOfShape(
// CHECK: onnx.GRU(
func.func @gru(%x: tensor<?x?x4xf32>, %w: tensor<1x9x4xf32>, %r: tensor<1x9x3xf32>) -> tensor<1xf32> {
  %s = onnx.Shape(%x) <{since = 15}> {start = 1 : i64, end = 2 : i64}
    : (tensor<?x?x4xf32>) -> tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %h = onnx.Constant dense<3> : tensor<1xi64>
  %t = onnx.Concat(%one, %s, %h) <{since = 13}> {axis = 0 : i64}
    : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %z = onnx.ConstantOfShape(%t) <{since = 9}>
    : (tensor<3xi64>) -> tensor<?x?x3xf32>
  %none = onnx.Absent
  %y:2 = onnx.GRU(%x, %w, %r, %none, %none, %z) <{since = 14}> {hidden_size = 3 : i64}
    : (tensor<?x?x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, none, none, tensor<?x?x3xf32>) -> (tensor<?x1x?x3xf32>, tensor<1x?x3xf32>)
  %u = onnx.Custom(%y#0) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?x3xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @ones_stay
// CHECK: %[[Z:.*]] = onnx.ConstantOfShape(
// CHECK: onnx.LSTM(%arg0, %arg1, %arg2, %{{.*}}, %{{.*}}, %[[Z]], %[[Z]])
func.func @ones_stay(%x: tensor<?x?x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>) -> tensor<1xf32> {
  %s = onnx.Shape(%x) <{since = 15}> {start = 1 : i64, end = 2 : i64}
    : (tensor<?x?x4xf32>) -> tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %h = onnx.Constant dense<3> : tensor<1xi64>
  %t = onnx.Concat(%one, %s, %h) <{since = 13}> {axis = 0 : i64}
    : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %z = onnx.ConstantOfShape(%t) <{since = 9}> {value = dense<1.0> : tensor<1xf32>}
    : (tensor<3xi64>) -> tensor<?x?x3xf32>
  %none = onnx.Absent
  %y:3 = onnx.LSTM(%x, %w, %r, %none, %none, %z, %z) <{since = 14}> {hidden_size = 3 : i64}
    : (tensor<?x?x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, none, none, tensor<?x?x3xf32>, tensor<?x?x3xf32>) -> (tensor<?x1x?x3xf32>, tensor<1x?x3xf32>, tensor<1x?x3xf32>)
  %u = onnx.Custom(%y#0) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?x3xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// Runtimes refuse states of two directions.
// CHECK-LABEL: @other_shape_stays
// CHECK: %[[Z:.*]] = onnx.ConstantOfShape(
// CHECK: onnx.LSTM(%arg0, %arg1, %arg2, %{{.*}}, %{{.*}}, %[[Z]], %[[Z]])
func.func @other_shape_stays(%x: tensor<?x?x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>) -> tensor<1xf32> {
  %s = onnx.Shape(%x) <{since = 15}> {start = 1 : i64, end = 2 : i64}
    : (tensor<?x?x4xf32>) -> tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %h = onnx.Constant dense<3> : tensor<1xi64>
  %t = onnx.Concat(%two, %s, %h) <{since = 13}> {axis = 0 : i64}
    : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %z = onnx.ConstantOfShape(%t) <{since = 9}>
    : (tensor<3xi64>) -> tensor<?x?x3xf32>
  %none = onnx.Absent
  %y:3 = onnx.LSTM(%x, %w, %r, %none, %none, %z, %z) <{since = 14}> {hidden_size = 3 : i64}
    : (tensor<?x?x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, none, none, tensor<?x?x3xf32>, tensor<?x?x3xf32>) -> (tensor<?x1x?x3xf32>, tensor<1x?x3xf32>, tensor<1x?x3xf32>)
  %u = onnx.Custom(%y#0) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?x3xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
