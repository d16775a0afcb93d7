// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// SequenceLength(x) = the number of tensors of x, if that is known
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @of_tensors
// CHECK: %[[N:.*]] = onnx.Constant dense<2> : tensor<i64>
// CHECK: onnx.Custom(%[[N]])
func.func @of_tensors(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @after_insert_and_erase
// CHECK: onnx.Constant dense<1> : tensor<i64>
func.func @after_insert_and_erase(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %a) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %u = onnx.SequenceInsert(%t, %b) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %v = onnx.SequenceErase(%u) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceLength(%v) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @of_parts
// CHECK: onnx.Constant dense<3> : tensor<i64>
func.func @of_parts(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %s = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @of_an_if
// CHECK: onnx.Constant dense<2> : tensor<i64>
func.func @of_an_if(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<i1>) -> tensor<1xf32> {
  %s = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> !onnx.seq<tensor<*xf32>>
    with then_branch() {
    %t = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
    onnx.Yield %t : !onnx.seq<tensor<*xf32>>
  }, else_branch() {
    %t = onnx.SequenceConstruct(%b, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
    onnx.Yield %t : !onnx.seq<tensor<*xf32>>
  }
  %y = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  %r = onnx.Custom(%y, %s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<i64>, !onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses other dimensions, and still does.
// CHECK-LABEL: @sizes_that_may_not_fit_stay
// CHECK: onnx.SequenceLength(
func.func @sizes_that_may_not_fit_stay(%x: tensor<?x4xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %s = onnx.SplitToSequence(%x, %n) <{since = 11}>
    : (tensor<?x4xf32>, tensor<2xi64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @given_sequence_stays
// CHECK: onnx.SequenceLength(
func.func @given_sequence_stays(%s: !onnx.seq<tensor<*xf32>>) -> tensor<1xf32> {
  %y = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @insert_at_unknown_position_stays
// CHECK: onnx.SequenceLength(
func.func @insert_at_unknown_position_stays(%a: tensor<2xf32>, %b: tensor<2xf32>, %p: tensor<i64>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %b, %p) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceLength(%t) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
