// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the text.

// CHECK-LABEL: @sequence_length_three
// CHECK-NEXT: onnx.Constant dense<3> : tensor<i64>
// CHECK-NEXT: return
func.func @sequence_length_three() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b, %d) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_length_of_split
// CHECK-NEXT: onnx.Constant dense<2> : tensor<i64>
// CHECK-NEXT: return
func.func @sequence_length_of_split() -> tensor<i64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %s = onnx.SplitToSequence(%x) <{since = 11}> : (tensor<2x2xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_length_unknown_stays
// CHECK: onnx.SequenceLength(
func.func @sequence_length_unknown_stays(%s: !onnx.seq<tensor<*xi64>>) -> tensor<i64> {
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}
