// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// If(true) = its then_branch; If(false) = its else_branch

// CHECK-LABEL: @takes_then
// CHECK-NOT: onnx.If
// CHECK: %[[Y:.*]] = onnx.Abs(%arg0)
// CHECK-SAME: outputs = ["y"]
// CHECK: onnx.Neg(%[[Y]])
func.func @takes_then(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = onnx.Constant dense<true> : tensor<i1> {output = "c"}
  %y = onnx.If(%c) <{since = 16, node = 0, outputs = ["y"]}> : (tensor<i1>) -> tensor<?xf32>
    with then_branch() {
      %a = onnx.Abs(%x) <{node = 0, outputs = ["a"]}> : (tensor<?xf32>) -> tensor<?xf32>
      onnx.Yield %a : tensor<?xf32>
    }, else_branch() {
      %b = onnx.Sign(%x) <{node = 0, outputs = ["b"]}> : (tensor<?xf32>) -> tensor<?xf32>
      onnx.Yield %b : tensor<?xf32>
    }
  %z = onnx.Neg(%y) <{node = 1, outputs = ["z"]}> : (tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// -----

// Of two branches with equal names the one that is left keeps its own.
// CHECK-LABEL: @takes_else
// CHECK-NOT: onnx.If
// CHECK: %[[A:.*]] = onnx.Sign(%arg0)
// CHECK-SAME: outputs = ["a"]
// CHECK: onnx.Exp(%[[A]])
// CHECK-SAME: outputs = ["y"]
func.func @takes_else(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = onnx.Constant dense<false> : tensor<i1> {output = "c"}
  %y = onnx.If(%c) <{since = 16, node = 0, outputs = ["y"]}> : (tensor<i1>) -> tensor<?xf32>
    with then_branch() {
      %a = onnx.Abs(%x) <{node = 0, outputs = ["a"]}> : (tensor<?xf32>) -> tensor<?xf32>
      onnx.Yield %a : tensor<?xf32>
    }, else_branch() {
      %a = onnx.Sign(%x) <{node = 0, outputs = ["a"]}> : (tensor<?xf32>) -> tensor<?xf32>
      %b = onnx.Exp(%a) <{node = 1, outputs = ["b"]}> : (tensor<?xf32>) -> tensor<?xf32>
      onnx.Yield %b : tensor<?xf32>
    }
  return %y : tensor<?xf32>
}

// -----

// A name that the graph has too is replaced.
// CHECK-LABEL: @clash
// CHECK: onnx.Neg(%arg0) {{.*}}outputs = ["a"]
// CHECK: %[[A:.*]] = onnx.Sign(%arg0)
// CHECK-SAME: outputs = ["a_1"]
// CHECK: onnx.Exp(%[[A]])
func.func @clash(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c = onnx.Constant dense<true> : tensor<i1> {output = "c"}
  %n = onnx.Neg(%x) <{node = 0, outputs = ["a"]}> : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.If(%c) <{since = 16, node = 1, outputs = ["y"]}> : (tensor<i1>) -> tensor<?xf32>
    with then_branch() {
      %a = onnx.Sign(%x) <{node = 0, outputs = ["a"]}> : (tensor<?xf32>) -> tensor<?xf32>
      %b = onnx.Exp(%a) <{node = 1, outputs = ["b"]}> : (tensor<?xf32>) -> tensor<?xf32>
      onnx.Yield %b : tensor<?xf32>
    }, else_branch() {
      onnx.Yield %x : tensor<?xf32>
    }
  return %n, %y : tensor<?xf32>, tensor<?xf32>
}

// -----

// An output that is an outer value is a copy of it.
// CHECK-LABEL: @outer_value
// CHECK-NOT: onnx.If
// CHECK: %[[Y:.*]] = onnx.Identity(%arg0)
// CHECK-SAME: outputs = ["y"]
// CHECK: return %[[Y]]
func.func @outer_value(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = onnx.Constant dense<false> : tensor<i1> {output = "c"}
  %y = onnx.If(%c) <{since = 16, node = 0, outputs = ["y"]}> : (tensor<i1>) -> tensor<?xf32>
    with then_branch() {
      %a = onnx.Abs(%x) <{node = 0, outputs = ["a"]}> : (tensor<?xf32>) -> tensor<?xf32>
      onnx.Yield %a : tensor<?xf32>
    }, else_branch() {
      onnx.Yield %x : tensor<?xf32>
    }
  return %y : tensor<?xf32>
}

// -----

// CHECK-LABEL: @unknown_condition_stays
// CHECK: onnx.If(
func.func @unknown_condition_stays(%c: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %y = onnx.If(%c) <{since = 16, node = 0, outputs = ["y"]}> : (tensor<i1>) -> tensor<?xf32>
    with then_branch() {
      %a = onnx.Abs(%x) <{node = 0, outputs = ["a"]}> : (tensor<?xf32>) -> tensor<?xf32>
      onnx.Yield %a : tensor<?xf32>
    }, else_branch() {
      onnx.Yield %x : tensor<?xf32>
    }
  return %y : tensor<?xf32>
}
