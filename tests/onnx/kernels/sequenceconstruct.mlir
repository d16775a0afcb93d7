// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the inputs.

// CHECK-LABEL: @sequence_construct_of_several_shapes
// CHECK-NOT: onnx.Sequence
// CHECK-DAG: %[[A:.*]] = onnx.Constant dense<[1, 2]>
// CHECK-DAG: %[[B:.*]] = onnx.Constant dense<3>
// CHECK-DAG: %[[D:.*]] = onnx.Constant dense<[4, 5]>
// CHECK: return %[[A]], %[[B]], %[[D]]
func.func @sequence_construct_of_several_shapes() -> (tensor<2xi64>, tensor<i64>, tensor<2xi64>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i0 = onnx.Constant dense<0> : tensor<i64>
  %i1 = onnx.Constant dense<1> : tensor<i64>
  %i2 = onnx.Constant dense<2> : tensor<i64>
  %r0 = onnx.SequenceAt(%s, %i0) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  %r1 = onnx.SequenceAt(%s, %i1) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  %r2 = onnx.SequenceAt(%s, %i2) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  return %r0, %r1, %r2 : tensor<2xi64>, tensor<i64>, tensor<2xi64>
}

// -----

// CHECK-LABEL: @sequence_construct_strings
// CHECK-NEXT: onnx.Constant dense<"x"> : tensor<!onnx.string>
// CHECK-NEXT: return
func.func @sequence_construct_strings() -> tensor<!onnx.string> {
  %a = onnx.Constant dense<"x"> : tensor<!onnx.string>
  %b = onnx.Constant dense<["y", ""]> : tensor<2x!onnx.string>
  %s = onnx.SequenceConstruct(%b, %a) <{since = 11}> : (tensor<2x!onnx.string>, tensor<!onnx.string>) -> !onnx.seq<tensor<*x!onnx.string>>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*x!onnx.string>>, tensor<i64>) -> tensor<!onnx.string>
  return %r : tensor<!onnx.string>
}

// -----

// CHECK-LABEL: @sequence_construct_empty_tensor
// CHECK-NEXT: onnx.Constant dense<> : tensor<0x2xi64>
// CHECK-NEXT: return
func.func @sequence_construct_empty_tensor() -> tensor<0x2xi64> {
  %a = onnx.Constant dense<> : tensor<0x2xi64>
  %s = onnx.SequenceConstruct(%a) <{since = 11}> : (tensor<0x2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<0x2xi64>
  return %r : tensor<0x2xi64>
}

// -----

// Also what would be known of it: sequences are known as a whole.
// CHECK-LABEL: @sequence_construct_of_input_stays
// CHECK: onnx.SequenceConstruct(
// CHECK: onnx.SequenceAt(
func.func @sequence_construct_of_input_stays(%x: tensor<i64>) -> tensor<i64> {
  %a = onnx.Constant dense<3> : tensor<i64>
  %s = onnx.SequenceConstruct(%x, %a) <{since = 11}> : (tensor<i64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// One reader folds, the other one is the function.
// CHECK-LABEL: @sequence_construct_result_stays
// CHECK: %[[S:.*]] = onnx.SequenceConstruct(
// CHECK-NEXT: %[[N:.*]] = onnx.Constant dense<3> : tensor<i64>
// CHECK-NEXT: return %[[S]], %[[N]]
func.func @sequence_construct_result_stays() -> (!onnx.seq<tensor<*xi64>>, tensor<i64>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %s, %n : !onnx.seq<tensor<*xi64>>, tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_construct_types_stays
// CHECK: onnx.SequenceConstruct(
func.func @sequence_construct_types_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<3> : tensor<i64>
  %b = onnx.Constant dense<3> : tensor<i32>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: input #1 ('inputs') is tensor<i32>, expected tensor(int64) as input #0}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<i64>, tensor<i32>) -> !onnx.seq<tensor<*xi64>>
  return %s : !onnx.seq<tensor<*xi64>>
}

// -----

// CHECK-LABEL: @sequence_construct_absent_stays
// CHECK: onnx.SequenceConstruct(
func.func @sequence_construct_absent_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<3> : tensor<i64>
  %none = onnx.Absent
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: input #1 is missing}}
  %s = onnx.SequenceConstruct(%a, %none, %a) <{since = 11}> : (tensor<i64>, none, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  return %s : !onnx.seq<tensor<*xi64>>
}
