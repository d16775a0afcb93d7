// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the text.

// CHECK-LABEL: @sequence_empty_length
// CHECK-NEXT: onnx.Constant dense<0> : tensor<i64>
// CHECK-NEXT: return
func.func @sequence_empty_length() -> tensor<i64> {
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_empty_type
// CHECK-NEXT: onnx.Constant dense<"a"> : tensor<1x!onnx.string>
// CHECK-NEXT: return
func.func @sequence_empty_type() -> tensor<1x!onnx.string> {
  %x = onnx.Constant dense<["a"]> : tensor<1x!onnx.string>
  %i = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.SequenceEmpty() <{since = 11}> {dtype = 8 : i64} : () -> !onnx.seq<tensor<*x!onnx.string>>
  %t = onnx.SequenceInsert(%s, %x) <{since = 11}> : (!onnx.seq<tensor<*x!onnx.string>>, tensor<1x!onnx.string>) -> !onnx.seq<tensor<*x!onnx.string>>
  %r = onnx.SequenceAt(%t, %i) <{since = 11}> : (!onnx.seq<tensor<*x!onnx.string>>, tensor<i64>) -> tensor<1x!onnx.string>
  return %r : tensor<1x!onnx.string>
}

// -----

// No constant can hold a sequence.
// CHECK-LABEL: @sequence_empty_result_stays
// CHECK: onnx.SequenceEmpty(
func.func @sequence_empty_result_stays() -> !onnx.seq<tensor<*xf32>> {
  // expected-remark @+1 {{onnx.SequenceEmpty not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  return %s : !onnx.seq<tensor<*xf32>>
}

// -----

// Nobody reads it: it folds into nothing.
// CHECK-LABEL: @sequence_empty_unread_stays
// CHECK-NEXT: return
func.func @sequence_empty_unread_stays() {
  %s = onnx.SequenceEmpty() <{since = 11}> : () -> !onnx.seq<tensor<*xf32>>
  return
}
