// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// A graph gives its results under their names: the node that makes the value
// gets the name. What no node of the graph makes is kept a copy.

// CHECK-LABEL: @name_moves
// CHECK: %[[Y:.*]] = onnx.Exp(%arg0) <{since = 13{{.*}}outputs = ["y"]
// CHECK-NOT: onnx.Identity
// CHECK: %[[Z:.*]] = onnx.Sin(%[[Y]])
// CHECK: return %[[Y]], %[[Z]]
func.func @name_moves(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %h = onnx.Exp(%x) <{since = 13, outputs = ["h"]}> : (tensor<2xf32>) -> tensor<2xf32>
  %y = onnx.Identity(%h) <{since = 16, outputs = ["y"]}> : (tensor<2xf32>) -> tensor<2xf32>
  %z = onnx.Sin(%h) <{since = 22, outputs = ["z"]}> : (tensor<2xf32>) -> tensor<2xf32>
  return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @two_names_stay
// CHECK: %[[H:.*]] = onnx.Exp(
// CHECK: %[[Y:.*]] = onnx.Identity(%[[H]])
// CHECK: return %[[H]], %[[Y]]
func.func @two_names_stay(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %h = onnx.Exp(%x) <{since = 13, outputs = ["h"]}> : (tensor<2xf32>) -> tensor<2xf32>
  %y = onnx.Identity(%h) <{since = 16, outputs = ["y"]}> : (tensor<2xf32>) -> tensor<2xf32>
  return %h, %y : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @copy_of_an_argument_stays
// CHECK: %[[Y:.*]] = onnx.Identity(%arg0)
// CHECK: return %[[Y]]
func.func @copy_of_an_argument_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = onnx.Identity(%x) <{since = 16, outputs = ["y"]}> : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// The value is made outside of the branch.

// CHECK-LABEL: @copy_of_an_outer_value_stays
// CHECK: %[[H:.*]] = onnx.Exp(
// CHECK: then_branch
// CHECK: onnx.Identity(%[[H]])
func.func @copy_of_an_outer_value_stays(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %h = onnx.Exp(%x) <{since = 13, outputs = ["h"]}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %0 = onnx.Identity(%h) <{since = 16, outputs = ["t"]}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Abs(%h) <{since = 13, outputs = ["e"]}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  return %r : tensor<2xf32>
}
