// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @globalmaxpool_nan_stays
// CHECK: onnx.GlobalMaxPool(
func.func @globalmaxpool_nan_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0x7FC00000, 3.000000e+00]]]> : tensor<1x1x3xf32>
  // expected-remark @+1 {{onnx.GlobalMaxPool not folded: element [0, 0, 1] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.GlobalMaxPool(%x0) <{since = 22}> : (tensor<1x1x3xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @globalmaxpool_nothing_stays
// CHECK: onnx.GlobalMaxPool(
func.func @globalmaxpool_nothing_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<> : tensor<1x1x0xf32>
  // expected-remark @+1 {{onnx.GlobalMaxPool not folded: input #0 has shape [1, 1, 0], there is nothing in a channel}}
  %r = onnx.GlobalMaxPool(%x0) <{since = 22}> : (tensor<1x1x0xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
