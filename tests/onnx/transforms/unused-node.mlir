// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up=disable=unused-node --split-input-file | FileCheck %s --check-prefix=OFF

// Nodes without users are erased.

// CHECK-LABEL: @chain
// CHECK-NOT: onnx.{{Exp|Neg|Constant}}
// CHECK: onnx.Tanh(
// OFF-LABEL: @chain
// OFF: onnx.Exp(
// OFF: onnx.Neg(
func.func @chain(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Mul(%a, %c) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = onnx.Neg(%b) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @one_of_two_results_is_read_stays
// CHECK: onnx.TopK(
func.func @one_of_two_results_is_read_stays(%x: tensor<4xf32>, %k: tensor<1xi64>) -> tensor<?xi64> {
  %v, %i = onnx.TopK(%x, %k) <{since = 11}> : (tensor<4xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %i : tensor<?xi64>
}

// -----

// Nobody knows what operators of other domains do.

// CHECK-LABEL: @custom_stays
// CHECK: onnx.Custom(
func.func @custom_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = onnx.Custom(%x) <{domain = "com.acme", op_type = "Log", since = 1}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @read_in_a_body_stays
// CHECK: %[[A:.*]] = onnx.Exp(
// CHECK: onnx.Neg(%[[A]])
func.func @read_in_a_body_stays(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %a = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %0 = onnx.Neg(%a) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Abs(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  return %r : tensor<2xf32>
}

// -----

// An operator is erased with its body, and so are the producers that only the body used.

// CHECK-LABEL: @unused_if
// CHECK-NOT: onnx.{{If|Exp}}
// CHECK: return
func.func @unused_if(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %a = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %0 = onnx.Neg(%a) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Abs(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  %r = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @unused_if_with_a_custom_operator_stays
// CHECK: onnx.If(
func.func @unused_if_with_a_custom_operator_stays(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %b = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %0 = onnx.Custom(%x) <{domain = "com.acme", op_type = "Log", since = 1}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Abs(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  %r = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @constant_that_nobody_reads
// CHECK-NOT: onnx.Constant
// OFF-LABEL: @constant_that_nobody_reads
// OFF: onnx.Constant
func.func @constant_that_nobody_reads(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
