// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// SequenceAt(SequenceConstruct(x, y), 1) = y; also after SequenceInsert and
// SequenceErase at constant positions
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @construct_at
// CHECK-NOT: onnx.Sequence
// CHECK: onnx.Custom(%arg1)
func.func @construct_at(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<1> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @construct_at_negative_i32
// CHECK: onnx.Custom(%arg0)
func.func @construct_at_negative_i32(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<-2> : tensor<i32>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i32>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @insert_in_front
// CHECK: onnx.Custom(%arg1)
func.func @insert_in_front(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %b, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%t, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @insert_at_end_of_empty
// CHECK-NOT: onnx.Sequence
// CHECK: onnx.Custom(%arg1)
func.func @insert_at_end_of_empty(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<-1> : tensor<i64>
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %a) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %u = onnx.SequenceInsert(%t, %b) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%u, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @erase_the_first
// CHECK: onnx.Custom(%arg1)
func.func @erase_the_first(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceErase(%s, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%t, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @erase_the_last
// CHECK: onnx.Custom(%arg0)
func.func @erase_the_last(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<-1> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceErase(%s) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%t, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @beside_an_unknown_position
// CHECK: %[[S:.*]] = onnx.SequenceConstruct(
// CHECK: %[[Q:.*]] = onnx.SequenceAt(%[[S]], %arg2)
// CHECK: onnx.Custom(%arg1, %[[Q]])
func.func @beside_an_unknown_position(%a: tensor<2xf32>, %b: tensor<2xf32>, %p: tensor<i64>) -> tensor<1xf32> {
  %i = onnx.Constant dense<1> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %q = onnx.SequenceAt(%s, %p) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y, %q) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses it, and still does.
// CHECK-LABEL: @out_of_range_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @out_of_range_stays(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<2> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @out_of_range_below_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @out_of_range_below_stays(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<-3> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unknown_position_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @unknown_position_stays(%a: tensor<2xf32>, %b: tensor<2xf32>, %p: tensor<i64>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %p) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @insert_out_of_range_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @insert_out_of_range_stays(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %p = onnx.Constant dense<2> : tensor<i64>
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %b, %p) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%t, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @erase_at_unknown_position_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @erase_at_unknown_position_stays(%a: tensor<2xf32>, %b: tensor<2xf32>, %p: tensor<i64>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceErase(%s, %p) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%t, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @given_sequence_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @given_sequence_stays(%s: !onnx.seq<tensor<*xf32>>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses to insert it.
// CHECK-LABEL: @type_of_empty_differs_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @type_of_empty_differs_stays(%a: tensor<2xf64>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %a) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%t, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unknown_types_stay
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @unknown_types_stay(%a: !onnx.unknown, %b: !onnx.unknown) -> tensor<1xf32> {
  %i = onnx.Constant dense<1> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (!onnx.unknown, !onnx.unknown) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
