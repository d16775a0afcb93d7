// Calls of functions of a text that are no functions of a model. The pass looked for the callee in the module,
// of which the body is no part while it is converted, and died.
// RUN: fold-opt %s --convert-onnx-to-sequence --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func private @outside(!sequence.seq<tensor<2xf32>, ?>) -> tensor<2xf32>
func.func private @outside(!onnx.seq<tensor<2xf32>>) -> tensor<2xf32>
// CHECK-LABEL: func.func @calls
// CHECK-SAME: (%[[S:.*]]: !sequence.seq<tensor<2xf32>, ?>)
// CHECK: %[[R:.*]] = call @outside(%[[S]]) : (!sequence.seq<tensor<2xf32>, ?>) -> tensor<2xf32>
// CHECK: return %[[R]]
func.func @calls(%s: !onnx.seq<tensor<2xf32>>) -> tensor<2xf32> {
  %r = call @outside(%s) : (!onnx.seq<tensor<2xf32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func private @optional(!onnx.optional<tensor<2xf32>>) -> tensor<2xf32>
func.func @refused(%o: !onnx.optional<tensor<2xf32>>) -> tensor<2xf32> {
  // expected-error @+1 {{type '!onnx.optional<tensor<2xf32>>' of an operand or result of a call has no lowering}}
  %r = call @optional(%o) : (!onnx.optional<tensor<2xf32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// expected-error @+1 {{convert-onnx-to-sequence: 2 blocks, expected one; run it before control flow becomes blocks}}
func.func @blocks(%x: tensor<2xf32>) -> tensor<2xf32> {
  cf.br ^next(%x, %x : tensor<2xf32>, tensor<2xf32>)
^next(%y: tensor<2xf32>, %z: tensor<2xf32>):
  return %y : tensor<2xf32>
}
