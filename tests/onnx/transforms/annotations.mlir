// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s

// What a file says of devices and quantization distinguishes nodes, and goes
// with what replaces them; a message is the bytes of the file without names.
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @equal_nodes_of_two_stages
// CHECK-COUNT-2: onnx.Relu
func.func @equal_nodes_of_two_stages(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Relu(%x) <{since = 14, annotations = {devices = [{message = "\0A\01c\18\00", values = array<i64>}]}}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %b = onnx.Relu(%x) <{since = 14, annotations = {devices = [{message = "\0A\01c\18\01", values = array<i64>}]}}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @equal_nodes_of_one_stage
// CHECK-COUNT-1: onnx.Relu
// CHECK-NOT: onnx.Relu
func.func @equal_nodes_of_one_stage(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Relu(%x) <{since = 14, annotations = {devices = [{message = "\0A\01c\18\00", values = array<i64>}]}}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %b = onnx.Relu(%x) <{since = 14, annotations = {devices = [{message = "\0A\01c\18\00", values = array<i64>}]}}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The sharded result of the MatMul would be no value any more.
// CHECK-LABEL: @sharded_between_stays
// CHECK: onnx.MatMul
// CHECK: onnx.Add
func.func @sharded_between_stays(%x: tensor<?x3xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<1xf32> {
  %m = onnx.MatMul(%x, %w) <{since = 13, outputs = ["m"], annotations = {devices = [{message = "\0A\01c\12\02\12\00", values = array<i64: -1>}]}}>
    : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  %s = onnx.Add(%m, %b) <{since = 14, outputs = ["s"], annotations = {devices = [{message = "\0A\01c", values = array<i64>}]}}>
    : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @annotated_copy
// CHECK: onnx.Relu
// CHECK-SAME: quantization = [{message = "\12\05\0A\03key", result = 0 : i64}]
// CHECK-NOT: onnx.Identity
func.func @annotated_copy(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Relu(%x) <{since = 14}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %b = onnx.Identity(%a) <{since = 21, annotations = {quantization = [{message = "\12\05\0A\03key", result = 0 : i64}]}}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
