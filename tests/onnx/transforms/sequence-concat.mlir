// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// ConcatFromSequence(SequenceConstruct(x, y)) = Concat(x, y); along a new axis with
// Unsqueeze or Reshape, if that is not more nodes
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @concat
// CHECK: %[[Y:.*]] = onnx.Concat(%arg0, %arg1) {{.*}}axis = 0
// CHECK: onnx.Custom(%[[Y]])
func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_that_is_inserted
// CHECK-NOT: onnx.Sequence
// CHECK: onnx.Concat(%arg0, %arg1) {{.*}}axis = -2
func.func @concat_that_is_inserted(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %a) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<?x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %u = onnx.SequenceInsert(%t, %b) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<?x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%u) <{since = 11}> {axis = -2 : i64, new_axis = 0 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @stack_in_front
// CHECK-DAG: %[[T:.*]] = onnx.Constant dense<2> : tensor<2xi64>
// CHECK-DAG: %[[C:.*]] = onnx.Concat(%arg0, %arg1) {{.*}}axis = 0
// CHECK: %[[Y:.*]] = onnx.Reshape(%[[C]], %[[T]])
// CHECK: onnx.Custom(%[[Y]])
func.func @stack_in_front(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64, new_axis = 1 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<2x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @stack_of_one
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(%arg0, 
// CHECK: onnx.Custom(%[[Y]])
func.func @stack_of_one(%a: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<?x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 1 : i64, new_axis = 1 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<?x1x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @stack_of_an_unknown_size
// CHECK-DAG: %[[T:.*]] = onnx.Constant dense<[2, -1, 3]> : tensor<3xi64>
// CHECK-DAG: %[[C:.*]] = onnx.Concat(%arg0, %arg0) {{.*}}axis = 0
// CHECK: onnx.Reshape(%[[C]], %[[T]])
func.func @stack_of_an_unknown_size(%a: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %a) <{since = 11}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64, new_axis = 1 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<2x?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @stack_behind_an_unknown_size
// CHECK-DAG: onnx.Constant dense<[0, 2, 3]> : tensor<3xi64>
// CHECK: onnx.Reshape(
func.func @stack_behind_an_unknown_size(%a: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %a) <{since = 11}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 1 : i64, new_axis = 1 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<?x2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A -1 beside a copied size that may be 0 is refused for an empty tensor.
// CHECK-LABEL: @stack_between_unknown_sizes_stays
// CHECK: onnx.ConcatFromSequence(
func.func @stack_between_unknown_sizes_stays(%a: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %a) <{since = 11}>
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 1 : i64, new_axis = 1 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<?x2x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Two Unsqueezes and a Concat would be more nodes than what is left.
// CHECK-LABEL: @stack_at_the_end_that_is_inserted_stays
// CHECK: %[[S:.*]] = onnx.SequenceConstruct(%arg0, %arg1)
// CHECK: onnx.ConcatFromSequence(%[[S]])
func.func @stack_at_the_end_that_is_inserted_stays(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %a) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %u = onnx.SequenceInsert(%t, %b) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%u) <{since = 11}> {axis = -1 : i64, new_axis = 1 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<2x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @stack_that_would_be_more_nodes_stays
// CHECK: onnx.ConcatFromSequence(
func.func @stack_that_would_be_more_nodes_stays(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 1 : i64, new_axis = 1 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<2x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses other shapes, and still does.
// CHECK-LABEL: @stack_of_shapes_that_may_differ_stays
// CHECK: onnx.ConcatFromSequence(
func.func @stack_of_shapes_that_may_differ_stays(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64, new_axis = 1 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<2x?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @nothing_stays
// CHECK: onnx.ConcatFromSequence(
func.func @nothing_stays() -> tensor<1xf32> {
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<*xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @given_sequence_stays
// CHECK: onnx.ConcatFromSequence(
func.func @given_sequence_stays(%s: !onnx.seq<tensor<*xf32>>) -> tensor<1xf32> {
  %y = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<*xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
