// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the text; before a position. [[1, 2], [3], [4, 5]] gets [9].

// CHECK-LABEL: @sequence_insert_begin
// CHECK-NEXT: onnx.Constant dense<[9, 1, 2, 3, 4, 5]> : tensor<6xi64>
// CHECK-NEXT: return
func.func @sequence_insert_begin() -> tensor<6xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<0> : tensor<i64>
  %t = onnx.SequenceInsert(%s, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_before_one
// CHECK-NEXT: onnx.Constant dense<[1, 2, 9, 3, 4, 5]> : tensor<6xi64>
// CHECK-NEXT: return
func.func @sequence_insert_before_one() -> tensor<6xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %t = onnx.SequenceInsert(%s, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_before_last
// CHECK-NEXT: onnx.Constant dense<[1, 2, 3, 9, 4, 5]> : tensor<6xi64>
// CHECK-NEXT: return
func.func @sequence_insert_before_last() -> tensor<6xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<-1> : tensor<i64>
  %t = onnx.SequenceInsert(%s, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_before_all
// CHECK-NEXT: onnx.Constant dense<[9, 1, 2, 3, 4, 5]> : tensor<6xi64>
// CHECK-NEXT: return
func.func @sequence_insert_before_all() -> tensor<6xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<-3> : tensor<i64>
  %t = onnx.SequenceInsert(%s, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_end
// CHECK-NEXT: onnx.Constant dense<[1, 2, 3, 4, 5, 9]> : tensor<6xi64>
// CHECK-NEXT: return
func.func @sequence_insert_end() -> tensor<6xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<3> : tensor<i64>
  %t = onnx.SequenceInsert(%s, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_by_default_at_the_end
// CHECK-NEXT: onnx.Constant dense<[1, 2, 3, 4, 5, 9]> : tensor<6xi64>
// CHECK-NEXT: return
func.func @sequence_insert_by_default_at_the_end() -> tensor<6xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %t = onnx.SequenceInsert(%s, %x) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_absent_position
// CHECK: onnx.Constant dense<[1, 2, 3, 4, 5, 9]> : tensor<6xi64>
// CHECK-NEXT: return
func.func @sequence_insert_absent_position() -> tensor<6xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %none = onnx.Absent
  %t = onnx.SequenceInsert(%s, %x, %none) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, none) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_i32_position
// CHECK-NEXT: onnx.Constant dense<[1, 2, 9, 3, 4, 5]> : tensor<6xi64>
// CHECK-NEXT: return
func.func @sequence_insert_i32_position() -> tensor<6xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<1> : tensor<1xi32>
  %t = onnx.SequenceInsert(%s, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<1xi32>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<6xi64>
  return %r : tensor<6xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_into_empty
// CHECK-NEXT: onnx.Constant dense<9> : tensor<1xi64>
// CHECK-NEXT: return
func.func @sequence_insert_into_empty() -> tensor<1xi64> {
  %e = onnx.SequenceEmpty() <{since = 11}> {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<0> : tensor<i64>
  %t = onnx.SequenceInsert(%e, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: @sequence_insert_leaves_its_input
// CHECK-DAG: %[[N:.*]] = onnx.Constant dense<3>
// CHECK-DAG: %[[M:.*]] = onnx.Constant dense<4>
// CHECK: return %[[N]], %[[M]]
func.func @sequence_insert_leaves_its_input() -> (tensor<i64>, tensor<i64>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %t = onnx.SequenceInsert(%s, %x) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  %m = onnx.SequenceLength(%t) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n, %m : tensor<i64>, tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_insert_rank_0_string
// CHECK-NEXT: onnx.Constant dense<"z"> : tensor<!onnx.string>
// CHECK-NEXT: return
func.func @sequence_insert_rank_0_string() -> tensor<!onnx.string> {
  %x = onnx.Constant dense<"z"> : tensor<!onnx.string>
  %s = onnx.SequenceConstruct(%x) <{since = 11}> : (tensor<!onnx.string>) -> !onnx.seq<tensor<*x!onnx.string>>
  %i = onnx.Constant dense<-1> : tensor<i64>
  %y = onnx.Constant dense<"y"> : tensor<!onnx.string>
  %t = onnx.SequenceInsert(%s, %y, %i) <{since = 11}> : (!onnx.seq<tensor<*x!onnx.string>>, tensor<!onnx.string>, tensor<i64>) -> !onnx.seq<tensor<*x!onnx.string>>
  %r = onnx.SequenceAt(%t, %i) <{since = 11}> : (!onnx.seq<tensor<*x!onnx.string>>, tensor<i64>) -> tensor<!onnx.string>
  return %r : tensor<!onnx.string>
}

// -----

// CHECK-LABEL: @sequence_insert_beyond_stays
// CHECK: onnx.SequenceInsert(
func.func @sequence_insert_beyond_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<4> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceInsert not folded: position 4 is outside of a sequence of 3}}
  %t = onnx.SequenceInsert(%s, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  return %t : !onnx.seq<tensor<*xi64>>
}

// -----

// CHECK-LABEL: @sequence_insert_before_stays
// CHECK: onnx.SequenceInsert(
func.func @sequence_insert_before_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<1xi64>
  %i = onnx.Constant dense<-4> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceInsert not folded: position -4 is outside of a sequence of 3}}
  %t = onnx.SequenceInsert(%s, %x, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  return %t : !onnx.seq<tensor<*xi64>>
}

// -----

// CHECK-LABEL: @sequence_insert_wrong_type_stays
// CHECK: onnx.SequenceInsert(
func.func @sequence_insert_wrong_type_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %x = onnx.Constant dense<9> : tensor<i32>
  // expected-remark @+1 {{onnx.SequenceInsert not folded: input #1 is not a tensor of the sequence's type}}
  %t = onnx.SequenceInsert(%s, %x) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i32>) -> !onnx.seq<tensor<*xi64>>
  return %t : !onnx.seq<tensor<*xi64>>
}

// -----

// CHECK-LABEL: @sequence_insert_input_stays
// CHECK: onnx.SequenceInsert(
func.func @sequence_insert_input_stays(%x: tensor<1xi64>) -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %t = onnx.SequenceInsert(%s, %x) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%t) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}
