// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Loop of one iteration = its body
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @count_1
// CHECK-NOT: onnx.Loop
// CHECK: %[[Y:.*]] = onnx.Relu(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @count_1(%a: tensor<2xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<1> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %go, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The trip count ends it.
// CHECK-LABEL: @count_1_and_an_unknown_condition_after_it
// CHECK-NOT: onnx.Loop
// CHECK: %[[Y:.*]] = onnx.Relu(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @count_1_and_an_unknown_condition_after_it(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<1xf32> {
  %n = onnx.Constant dense<1> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %p, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @condition_false_after_it
// CHECK-NOT: onnx.Loop
// CHECK: %[[Y:.*]] = onnx.Relu(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @condition_false_after_it(%a: tensor<2xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<5> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %no = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %no, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @scan_output
// CHECK: %[[E:.*]] = onnx.Relu(%arg0)
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(%[[E]], 
// CHECK: onnx.Custom(%[[Y]])
func.func @scan_output(%a: tensor<2xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<1> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %y:2 = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1x2xf32>)
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %go, %c0, %e : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }
  %r = onnx.Custom(%y#1) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sequence_in_it
// CHECK-NOT: onnx.Loop
// CHECK: onnx.Custom(%arg0)
func.func @sequence_in_it(%a: tensor<2xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<1> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %t = onnx.Loop(%n, %yes, %s) <{since = 16}>
    : (tensor<i64>, tensor<i1>, !onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: !onnx.seq<tensor<*xf32>>) {
    %u = onnx.SequenceInsert(%c0, %a) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
    onnx.Yield %go, %u : tensor<i1>, !onnx.seq<tensor<*xf32>>
  }
  %i0 = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.SequenceAt(%t, %i0) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @count_2_stays
// CHECK: onnx.Loop(
func.func @count_2_stays(%a: tensor<2xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<2> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %go, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unknown_count_stays
// CHECK: onnx.Loop(
func.func @unknown_count_stays(%a: tensor<2xf32>, %n: tensor<i64>) -> tensor<1xf32> {
  %yes = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %go, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The count may be 0.
// CHECK-LABEL: @unknown_count_and_condition_false_after_it_stays
// CHECK: onnx.Loop(
func.func @unknown_count_and_condition_false_after_it_stays(%a: tensor<2xf32>, %n: tensor<i64>) -> tensor<1xf32> {
  %yes = onnx.Constant dense<true> : tensor<i1>
  %no = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %no, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unknown_condition_before_it_stays
// CHECK: onnx.Loop(
func.func @unknown_condition_before_it_stays(%a: tensor<2xf32>, %yes: tensor<i1>) -> tensor<1xf32> {
  %n = onnx.Constant dense<1> : tensor<i64>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %go, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @condition_that_becomes_false_stays
// CHECK: onnx.Loop(
func.func @condition_that_becomes_false_stays(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<1xf32> {
  %n = onnx.Constant dense<5> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Loop(%n, %yes, %a) <{since = 16}>
    : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %go: tensor<i1>, %c0: tensor<2xf32>) {
    %e = onnx.Relu(%c0) <{since = 14}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %p, %e : tensor<i1>, tensor<2xf32>
  }
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
