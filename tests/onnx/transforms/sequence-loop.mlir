// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Loop of a known trip count that builds or reads a sequence = its iterations, if no sequence and no more nodes are left
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @appends_rows
// CHECK-NOT: onnx.Loop
// CHECK-NOT: onnx.Sequence
// CHECK: %[[A:.*]] = onnx.Gather(%arg0,
// CHECK: %[[B:.*]] = onnx.Gather(%arg0,
// CHECK: %[[Y:.*]] = onnx.Concat(%[[A]], %[[B]])
// CHECK: onnx.Custom(%[[Y]])
func.func @appends_rows(%x: tensor<4x3xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<2> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %e = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %l = onnx.Loop(%n, %yes, %e) <{since = 16}>
    : (tensor<i64>, tensor<i1>, !onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
    with body(%i: tensor<i64>, %go: tensor<i1>, %s: !onnx.seq<tensor<*xf32>>) {
    %g = onnx.Gather(%x, %i) <{since = 13}> {axis = 0 : i64}
      : (tensor<4x3xf32>, tensor<i64>) -> tensor<3xf32>
    %t = onnx.SequenceInsert(%s, %g) <{since = 11}>
      : (!onnx.seq<tensor<*xf32>>, tensor<3xf32>) -> !onnx.seq<tensor<*xf32>>
    onnx.Yield %go, %t : tensor<i1>, !onnx.seq<tensor<*xf32>>
  }
  %y = onnx.ConcatFromSequence(%l) <{since = 11}> {axis = 0 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<6xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<6xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @adds_parts
// CHECK-NOT: onnx.Loop
// CHECK: %[[P:.*]], %[[Q:.*]] = onnx.Split(%arg0,
// CHECK: %[[A:.*]] = onnx.Add(%arg1, %[[P]])
// CHECK: %[[B:.*]] = onnx.Add(%[[A]], %[[Q]])
// CHECK: onnx.Custom(%[[B]])
func.func @adds_parts(%x: tensor<2x3xf32>, %a: tensor<1x3xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<2> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %q = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<2x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<1x3xf32>) -> tensor<1x3xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c: tensor<1x3xf32>) {
    %p = onnx.SequenceAt(%q, %i) <{since = 11}>
      : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x3xf32>
    %d = onnx.Add(%c, %p) <{since = 14}>
      : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    onnx.Yield %go, %d : tensor<i1>, tensor<1x3xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Of so many iterations more nodes would be left.
// CHECK-LABEL: @many_iterations_stay
// CHECK: onnx.Loop(
func.func @many_iterations_stay(%x: tensor<9x3xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<9> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %e = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %l = onnx.Loop(%n, %yes, %e) <{since = 16}>
    : (tensor<i64>, tensor<i1>, !onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
    with body(%i: tensor<i64>, %go: tensor<i1>, %s: !onnx.seq<tensor<*xf32>>) {
    %g = onnx.Gather(%x, %i) <{since = 13}> {axis = 0 : i64}
      : (tensor<9x3xf32>, tensor<i64>) -> tensor<3xf32>
    %t = onnx.SequenceInsert(%s, %g) <{since = 11}>
      : (!onnx.seq<tensor<*xf32>>, tensor<3xf32>) -> !onnx.seq<tensor<*xf32>>
    onnx.Yield %go, %t : tensor<i1>, !onnx.seq<tensor<*xf32>>
  }
  %y = onnx.ConcatFromSequence(%l) <{since = 11}> {axis = 0 : i64}
    : (!onnx.seq<tensor<*xf32>>) -> tensor<27xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<27xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The sequence is read as a whole: it would be left.
// CHECK-LABEL: @sequence_that_is_given_stays
// CHECK: onnx.Loop(
func.func @sequence_that_is_given_stays(%x: tensor<4x3xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<2> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %e = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %l = onnx.Loop(%n, %yes, %e) <{since = 16}>
    : (tensor<i64>, tensor<i1>, !onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
    with body(%i: tensor<i64>, %go: tensor<i1>, %s: !onnx.seq<tensor<*xf32>>) {
    %g = onnx.Gather(%x, %i) <{since = 13}> {axis = 0 : i64}
      : (tensor<4x3xf32>, tensor<i64>) -> tensor<3xf32>
    %t = onnx.SequenceInsert(%s, %g) <{since = 11}>
      : (!onnx.seq<tensor<*xf32>>, tensor<3xf32>) -> !onnx.seq<tensor<*xf32>>
    onnx.Yield %go, %t : tensor<i1>, !onnx.seq<tensor<*xf32>>
  }
  %r = onnx.Custom(%l) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @place_of_run_time_stays
// CHECK: onnx.Loop(
func.func @place_of_run_time_stays(%x: tensor<2x3xf32>, %a: tensor<1x3xf32>, %k: tensor<i64>) -> tensor<1xf32> {
  %n = onnx.Constant dense<2> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %q = onnx.SplitToSequence(%x) <{since = 11}>
    : (tensor<2x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<1x3xf32>) -> tensor<1x3xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c: tensor<1x3xf32>) {
    %p = onnx.SequenceAt(%q, %k) <{since = 11}>
      : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<1x3xf32>
    %d = onnx.Add(%c, %p) <{since = 14}>
      : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    onnx.Yield %go, %d : tensor<i1>, tensor<1x3xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @no_sequence_stays
// CHECK: onnx.Loop(
func.func @no_sequence_stays(%a: tensor<2xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<2> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c: tensor<2xf32>) {
    %e = onnx.Exp(%c) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %go, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
