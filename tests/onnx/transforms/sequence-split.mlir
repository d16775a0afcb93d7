// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// SplitToSequence(x) = SequenceConstruct(Split(x)) if its users read tensors at
// constant positions
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @two_of_three
// CHECK: %[[N:.*]] = onnx.Constant dense<1> : tensor<3xi64>
// CHECK: %[[P:.*]], %{{.*}}, %[[Q:.*]] = onnx.Split(%arg0, %[[N]]) {{.*}}axis = 0
// CHECK-NOT: onnx.Sequence
// CHECK: onnx.Custom(%[[P]], %[[Q]])
func.func @two_of_three(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %j = onnx.Constant dense<-1> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x4xf32>
  %z = onnx.SequenceAt(%s, %j) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x4xf32>
  %r = onnx.Custom(%y, %z) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The Split refuses other dimensions as well.
// CHECK-LABEL: @sizes_of_an_unknown_dimension
// CHECK: %[[N:.*]] = onnx.Constant dense<[2, 3]> : tensor<2xi64>
// CHECK: %{{.*}}, %[[P:.*]] = onnx.Split(%arg0, %[[N]])
// CHECK: onnx.Custom(%[[P]])
func.func @sizes_of_an_unknown_dimension(%x: tensor<?x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<1> : tensor<i64>
  %n = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %s = onnx.SplitToSequence(%x, %n) <{since = 11}>
    : (tensor<?x4xf32>, tensor<2xi64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<3x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @one_size_and_a_rest
// CHECK: onnx.Constant dense<[2, 1]> : tensor<2xi64>
// CHECK: %{{.*}}, %[[P:.*]] = onnx.Split(%arg0,
// CHECK: onnx.Custom(%[[P]])
func.func @one_size_and_a_rest(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<1> : tensor<i64>
  %n = onnx.Constant dense<2> : tensor<i64>
  %s = onnx.SplitToSequence(%x, %n) <{since = 11}>
    : (tensor<3x4xf32>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concatenated_without_the_first
// CHECK: %{{.*}}, %[[P:.*]], %[[Q:.*]] = onnx.Split(%arg0,
// CHECK-NOT: onnx.Sequence
// CHECK: onnx.Concat(%[[P]], %[[Q]])
func.func @concatenated_without_the_first(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceErase(%s, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unknown_position_stays
// CHECK: onnx.SplitToSequence(
func.func @unknown_position_stays(%x: tensor<3x4xf32>, %p: tensor<i64>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x4xf32>
  %z = onnx.SequenceAt(%s, %p) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x4xf32>
  %r = onnx.Custom(%y, %z) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sequence_is_used_stays
// CHECK: onnx.SplitToSequence(
func.func @sequence_is_used_stays(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x4xf32>
  %r = onnx.Custom(%y, %s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x4xf32>, !onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses them, and still does.
// CHECK-LABEL: @sizes_that_do_not_fit_stay
// CHECK: onnx.SplitToSequence(
func.func @sizes_that_do_not_fit_stay(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %n = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %s = onnx.SplitToSequence(%x, %n) <{since = 11}>
    : (tensor<3x4xf32>, tensor<2xi64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unknown_size_stays
// CHECK: onnx.SplitToSequence(
func.func @unknown_size_stays(%x: tensor<?x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<?x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @position_out_of_range_stays
// CHECK: onnx.SplitToSequence(
func.func @position_out_of_range_stays(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<3> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
