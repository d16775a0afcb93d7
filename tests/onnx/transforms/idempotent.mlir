// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// f(f(x)) = f(x) for Relu, Abs, Floor, Ceil, Round, Sign
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @relu_twice
// CHECK: %[[Y:.*]] = onnx.Relu(%arg0)
// CHECK-NOT: onnx.Relu
// CHECK: onnx.Custom(%[[Y]])
func.func @relu_twice(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Relu(%x) <{since = 14}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Relu(%a) <{since = 14}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @abs_twice
// CHECK: %[[Y:.*]] = onnx.Abs(%arg0)
// CHECK-NOT: onnx.Abs
// CHECK: onnx.Custom(%[[Y]])
func.func @abs_twice(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Abs(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Abs(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @floor_twice
// CHECK: %[[Y:.*]] = onnx.Floor(%arg0)
// CHECK-NOT: onnx.Floor
// CHECK: onnx.Custom(%[[Y]])
func.func @floor_twice(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Floor(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Floor(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @ceil_twice
// CHECK: %[[Y:.*]] = onnx.Ceil(%arg0)
// CHECK-NOT: onnx.Ceil
// CHECK: onnx.Custom(%[[Y]])
func.func @ceil_twice(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Ceil(%x) <{since = 6}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Ceil(%a) <{since = 6}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @round_twice
// CHECK: %[[Y:.*]] = onnx.Round(%arg0)
// CHECK-NOT: onnx.Round
// CHECK: onnx.Custom(%[[Y]])
func.func @round_twice(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Round(%x) <{since = 11}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Round(%a) <{since = 11}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sign_twice
// CHECK: %[[Y:.*]] = onnx.Sign(%arg0)
// CHECK-NOT: onnx.Sign
// CHECK: onnx.Custom(%[[Y]])
func.func @sign_twice(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Sign(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Sign(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// True, but of no use.
// CHECK-LABEL: @floor_ceil_stays
// CHECK: %[[Y:.*]] = onnx.Ceil(
// CHECK: onnx.Custom(%[[Y]])
func.func @floor_ceil_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Floor(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Ceil(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @neg_abs_stays
// CHECK: %[[Y:.*]] = onnx.Abs(
// CHECK: onnx.Custom(%[[Y]])
func.func @neg_abs_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Neg(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Abs(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sigmoid_twice_stays
// CHECK: onnx.Sigmoid(
// CHECK: %[[Y:.*]] = onnx.Sigmoid(
// CHECK: onnx.Custom(%[[Y]])
func.func @sigmoid_twice_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Sigmoid(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Sigmoid(%a) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
