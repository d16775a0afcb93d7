// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the text. What is erased is from [[1, 2], [3], [4, 5]].

// CHECK-LABEL: @sequence_erase_first
// CHECK-NEXT: onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @sequence_erase_first() -> tensor<3xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<0> : tensor<i64>
  %t = onnx.SequenceErase(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @sequence_erase_middle
// CHECK-NEXT: onnx.Constant dense<[1, 2, 4, 5]> : tensor<4xi64>
// CHECK-NEXT: return
func.func @sequence_erase_middle() -> tensor<4xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<1> : tensor<i64>
  %t = onnx.SequenceErase(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// -----

// CHECK-LABEL: @sequence_erase_last
// CHECK-NEXT: onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @sequence_erase_last() -> tensor<3xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<-1> : tensor<i64>
  %t = onnx.SequenceErase(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @sequence_erase_count_from_the_end
// CHECK-NEXT: onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @sequence_erase_count_from_the_end() -> tensor<3xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<-3> : tensor<i64>
  %t = onnx.SequenceErase(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @sequence_erase_by_default_the_last
// CHECK-NEXT: onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @sequence_erase_by_default_the_last() -> tensor<3xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %t = onnx.SequenceErase(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @sequence_erase_until_empty
// CHECK-NEXT: onnx.Constant dense<0> : tensor<i64>
// CHECK-NEXT: return
func.func @sequence_erase_until_empty() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %t = onnx.SequenceErase(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>>
  %u = onnx.SequenceErase(%t) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>>
  %v = onnx.SequenceErase(%u) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%v) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_erase_beyond_stays
// CHECK: onnx.SequenceErase(
func.func @sequence_erase_beyond_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<3> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceErase not folded: position 3 is outside of a sequence of 3}}
  %t = onnx.SequenceErase(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  return %t : !onnx.seq<tensor<*xi64>>
}

// -----

// CHECK-LABEL: @sequence_erase_before_stays
// CHECK: onnx.SequenceErase(
func.func @sequence_erase_before_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<-4> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceErase not folded: position -4 is outside of a sequence of 3}}
  %t = onnx.SequenceErase(%s, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  return %t : !onnx.seq<tensor<*xi64>>
}

// -----

// CHECK-LABEL: @sequence_erase_of_empty_stays
// CHECK: onnx.SequenceErase(
func.func @sequence_erase_of_empty_stays() -> !onnx.seq<tensor<*xi64>> {
  // expected-remark @+1 {{onnx.SequenceEmpty not folded: no constant can hold its result; its users fold}}
  %e = onnx.SequenceEmpty() <{since = 11}> {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.SequenceErase not folded: the sequence is empty}}
  %t = onnx.SequenceErase(%e) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>>
  return %t : !onnx.seq<tensor<*xi64>>
}

// -----

// CHECK-LABEL: @sequence_erase_unknown_stays
// CHECK: onnx.SequenceErase(
func.func @sequence_erase_unknown_stays(%s: !onnx.seq<tensor<*xi64>>) -> tensor<i64> {
  %t = onnx.SequenceErase(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%t) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}
