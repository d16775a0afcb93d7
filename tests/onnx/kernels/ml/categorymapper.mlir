// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @categorymapper_lengths_stay
// CHECK: onnx.ml.CategoryMapper(
func.func @categorymapper_lengths_stay() -> tensor<1xi64> {
  %x0 = onnx.Constant dense<["c"]> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.ml.CategoryMapper not folded: attributes 'cats_int64s' and 'cats_strings' are not lists of one length}}
  %r = onnx.ml.CategoryMapper(%x0) <{since = 1}> {cats_int64s = array<i64: 3>, cats_strings = ["a", "c"]} : (tensor<1x!onnx.string>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: @categorymapper_repeated_stays
// CHECK: onnx.ml.CategoryMapper(
func.func @categorymapper_repeated_stays() -> tensor<1xi64> {
  %x0 = onnx.Constant dense<["c"]> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.ml.CategoryMapper not folded: element [1] of attribute 'cats_strings' stands in it twice}}
  %r = onnx.ml.CategoryMapper(%x0) <{since = 1}> {cats_int64s = array<i64: 3, 4>, cats_strings = ["a", "a"]} : (tensor<1x!onnx.string>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}
