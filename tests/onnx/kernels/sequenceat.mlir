// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the text.

// CHECK-LABEL: @sequence_at_first
// CHECK-NEXT: onnx.Constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @sequence_at_first() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @sequence_at_middle
// CHECK-NEXT: onnx.Constant dense<3> : tensor<i64>
// CHECK-NEXT: return
func.func @sequence_at_middle() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_at_last
// CHECK-NEXT: onnx.Constant dense<[4, 5]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @sequence_at_last() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<-1> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @sequence_at_count_from_the_end
// CHECK-NEXT: onnx.Constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @sequence_at_count_from_the_end() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<-3> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// A position of one element is taken for a scalar.
// CHECK-LABEL: @sequence_at_i32_vector
// CHECK-NEXT: onnx.Constant dense<3> : tensor<i64>
// CHECK-NEXT: return
func.func @sequence_at_i32_vector() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<1> : tensor<1xi32>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_at_unknown_rank
// CHECK-NEXT: onnx.Constant dense<[4, 5]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @sequence_at_unknown_rank() -> tensor<*xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<2> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @sequence_at_folds_further
// CHECK-NEXT: onnx.Constant dense<[5, 7]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @sequence_at_folds_further() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<0> : tensor<i64>
  %t = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  %r = onnx.Add(%t, %d) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @sequence_at_beyond_stays
// CHECK: onnx.SequenceAt(
func.func @sequence_at_beyond_stays() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<3> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceAt not folded: position 3 is outside of a sequence of 3}}
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_at_before_stays
// CHECK: onnx.SequenceAt(
func.func @sequence_at_before_stays() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<-4> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceAt not folded: position -4 is outside of a sequence of 3}}
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_at_far_before_stays
// CHECK: onnx.SequenceAt(
func.func @sequence_at_far_before_stays() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<-9223372036854775808> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceAt not folded: position -9223372036854775808 is outside of a sequence of 3}}
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_at_of_empty_stays
// CHECK: onnx.SequenceAt(
func.func @sequence_at_of_empty_stays() -> tensor<*xf32> {
  %i = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceEmpty not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  // expected-remark @+1 {{onnx.SequenceAt not folded: position 0 is outside of a sequence of 0}}
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @sequence_at_two_positions_stays
// CHECK: onnx.SequenceAt(
func.func @sequence_at_two_positions_stays() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceAt not folded: input #1 is not one integer}}
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<2xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_at_unknown_position_stays
// CHECK: onnx.SequenceAt(
func.func @sequence_at_unknown_position_stays(%i: tensor<i64>) -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_at_unknown_sequence_stays
// CHECK: onnx.SequenceAt(
func.func @sequence_at_unknown_sequence_stays(%s: !onnx.seq<tensor<*xi64>>) -> tensor<i64> {
  %i = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// The result is not of the type that the model declares.
// CHECK-LABEL: @sequence_at_wrong_shape_stays
// CHECK: onnx.SequenceAt(
func.func @sequence_at_wrong_shape_stays() -> tensor<3xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceAt not folded: result #0 is i64[2], expected i64[3], which the model or inference says}}
  %r = onnx.SequenceAt(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}
