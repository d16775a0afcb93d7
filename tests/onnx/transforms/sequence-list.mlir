// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// SequenceInsert(SequenceConstruct(x), y) = SequenceConstruct(x, y); also SequenceErase
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @insert
// CHECK: %[[S:.*]] = onnx.SequenceConstruct(%arg1, %arg0)
// CHECK: onnx.Custom(%[[S]])
func.func @insert(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %b, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @insert_twice
// CHECK: %[[S:.*]] = onnx.SequenceConstruct(%arg0, %arg1)
// CHECK: onnx.Custom(%[[S]])
func.func @insert_twice(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %a) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %u = onnx.SequenceInsert(%t, %b) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %r = onnx.Custom(%u) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @erase
// CHECK: %[[S:.*]] = onnx.SequenceConstruct(%arg1)
// CHECK: onnx.Custom(%[[S]])
func.func @erase(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<-2> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}>
    : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceErase(%s, %z) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @erase_the_only_one
// CHECK: %[[S:.*]] = onnx.SequenceEmpty() {{.*}}dtype = 1
// CHECK: onnx.Custom(%[[S]])
func.func @erase_the_only_one(%a: tensor<2xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceErase(%s) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
  %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @read_twice_stays
// CHECK: onnx.SequenceInsert(
func.func @read_twice_stays(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %b) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %r = onnx.Custom(%s, %t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>, !onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @position_out_of_range_stays
// CHECK: onnx.SequenceInsert(
func.func @position_out_of_range_stays(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<2> : tensor<i64>
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %b, %p) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @erase_of_nothing_stays
// CHECK: onnx.SequenceErase(
func.func @erase_of_nothing_stays() -> tensor<1xf32> {
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceErase(%s) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
  %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_type_stays
// CHECK: onnx.SequenceInsert(
func.func @other_type_stays(%a: tensor<2xf32>, %b: tensor<2xf64>) -> tensor<1xf32> {
  %s = onnx.SequenceConstruct(%a) <{since = 11}>
    : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %t = onnx.SequenceInsert(%s, %b) <{since = 11}>
    : (!onnx.seq<tensor<*xf32>>, tensor<2xf64>) -> !onnx.seq<tensor<*xf32>>
  %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.seq<tensor<*xf32>>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
