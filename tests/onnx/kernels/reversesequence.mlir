// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @reversesequence_rank_3_string
// CHECK{LITERAL}: onnx.Constant dense<[[["c", "d"]], [["a", "b"]]]> : tensor<2x1x2x!onnx.string>
// CHECK-NEXT: return
func.func @reversesequence_rank_3_string() -> tensor<2x1x2x!onnx.string> {
  %x0 = onnx.Constant dense<[[["a", "b"]], [["c", "d"]]]> : tensor<2x1x2x!onnx.string>
  %x1 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.ReverseSequence(%x0, %x1) <{since = 10}> : (tensor<2x1x2x!onnx.string>, tensor<1xi64>) -> tensor<2x1x2x!onnx.string>
  return %r : tensor<2x1x2x!onnx.string>
}

// -----

// CHECK-LABEL: @reversesequence_length_stays
// CHECK: onnx.ReverseSequence(
func.func @reversesequence_length_stays() -> tensor<3x3xi64> {
  %x0 = onnx.Constant dense<[[0, 4, 8], [1, 5, 9], [2, 6, 10]]> : tensor<3x3xi64>
  %x1 = onnx.Constant dense<[3, 4, 0]> : tensor<3xi64>
  // expected-remark @+1 {{onnx.ReverseSequence not folded: sequence_lens [1] is 4, the time axis has size 3}}
  %r = onnx.ReverseSequence(%x0, %x1) <{since = 10}> : (tensor<3x3xi64>, tensor<3xi64>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

// -----

// CHECK-LABEL: @reversesequence_axes_stays
// CHECK: onnx.ReverseSequence(
func.func @reversesequence_axes_stays() -> tensor<3x3xi64> {
  %x0 = onnx.Constant dense<[[0, 4, 8], [1, 5, 9], [2, 6, 10]]> : tensor<3x3xi64>
  %x1 = onnx.Constant dense<[3, 2, 0]> : tensor<3xi64>
  // expected-remark @+1 {{onnx.ReverseSequence not folded: time_axis is 0, batch_axis is 0, the rank is 2}}
  %r = onnx.ReverseSequence(%x0, %x1) <{since = 10}> {batch_axis = 0 : i64} : (tensor<3x3xi64>, tensor<3xi64>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}
