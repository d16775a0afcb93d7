// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// SequenceAt(SplitToSequence(x), i) = Gather(x, i) where the parts lose their axis;
// SequenceAt(SequenceConstruct(x, y), 1) = Identity(y) for a graph output
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @row
// CHECK: %[[I:.*]] = onnx.Constant dense<2> : tensor<i64>
// CHECK: %[[Y:.*]] = onnx.Gather(%arg0, %[[I]]) {{.*}}axis = 0
// CHECK: onnx.Custom(%[[Y]])
func.func @row(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<2> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}> {keepdims = 0 : i64}
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @column_from_the_end
// CHECK: %[[I:.*]] = onnx.Constant dense<3> : tensor<i64>
// CHECK: onnx.Gather(%arg0, %[[I]]) {{.*}}axis = 1
func.func @column_from_the_end(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<-1> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}> {axis = -1 : i64, keepdims = 0 : i64}
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @row_after_one_is_erased
// CHECK: %[[I:.*]] = onnx.Constant dense<1> : tensor<i64>
// CHECK: onnx.Gather(%arg0, %[[I]])
func.func @row_after_one_is_erased(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}> {keepdims = 0 : i64}
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceErase(%s, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%t, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @output
// CHECK: %[[Y:.*]] = onnx.Identity(%arg1)
// CHECK: return %[[Y]]
func.func @output(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %i = onnx.Constant dense<1> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @out_of_range_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @out_of_range_stays(%x: tensor<3x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<3> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}> {keepdims = 0 : i64}
    : (tensor<3x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unknown_size_stays
// CHECK: %[[Y:.*]] = onnx.SequenceAt(
// CHECK: onnx.Custom(%[[Y]])
func.func @unknown_size_stays(%x: tensor<?x4xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SplitToSequence(%x) <{since = 11}> {keepdims = 0 : i64}
    : (tensor<?x4xf32>) -> !onnx.seq<tensor<*xf32>>
  %y = onnx.SequenceAt(%s, %i) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
