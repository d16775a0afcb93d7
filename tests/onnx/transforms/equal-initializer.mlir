// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// initializers of one graph with the same type and bytes = one of them
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @equal
// CHECK: %[[W:.*]] = onnx.Constant {{.*}}"w"
// CHECK-NOT: onnx.Constant
// CHECK: onnx.Custom(%[[W]], %[[W]])
module attributes {onnx.ir_version = 10 : i64} {
func.func @equal() -> tensor<1xf32> {
  %w = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32> {output = "w"}
  %v = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32> {output = "v"}
  %u = onnx.Custom(%w, %v) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
}

// -----

// CHECK-LABEL: @signs_of_zeros_stay
// CHECK: onnx.Constant {{.*}}"w"
// CHECK: onnx.Constant {{.*}}"v"
module attributes {onnx.ir_version = 10 : i64} {
func.func @signs_of_zeros_stay() -> tensor<1xf32> {
  %w = onnx.Constant dense<[1.0, 0.0]> : tensor<2xf32> {output = "w"}
  %v = onnx.Constant dense<[1.0, -0.0]> : tensor<2xf32> {output = "v"}
  %u = onnx.Custom(%w, %v) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
}

// -----

// Constant nodes count as nodes.
// CHECK-LABEL: @nodes_stay
// CHECK: onnx.Constant {{.*}}"w"
// CHECK: onnx.Constant {{.*}}"v"
module attributes {onnx.ir_version = 10 : i64} {
func.func @nodes_stay() -> tensor<1xf32> {
  %w = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32> {output = "w"}
  %v = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32> {node = 3, output = "v"}
  %u = onnx.Custom(%w, %v) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
}

// -----

// CHECK-LABEL: @outputs_stay
// CHECK: %[[V:.*]] = onnx.Constant {{.*}}"v"
// CHECK: onnx.Custom(%[[V]], %[[V]])
// CHECK: return %[[V]]
module attributes {onnx.ir_version = 10 : i64} {
func.func @outputs_stay() -> tensor<2xf32> {
  %w = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32> {output = "w"}
  %v = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32> {output = "v"}
  %u = onnx.Custom(%w, %v) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %v : tensor<2xf32>
}
}
