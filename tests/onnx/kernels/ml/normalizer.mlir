// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @normalizer_norm_stays
// CHECK: onnx.ml.Normalizer(
func.func @normalizer_norm_stays() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[0.0, -2.0]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.ml.Normalizer not folded: attribute 'norm' is 'L3', expected MAX, L1, L2}}
  %r = onnx.ml.Normalizer(%x0) <{since = 1}> {norm = "L3"} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @normalizer_rank_stays
// CHECK: onnx.ml.Normalizer(
func.func @normalizer_rank_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.0]]]> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.ml.Normalizer not folded: input #0 has shape [1, 1, 1], expected one or two dimensions}}
  %r = onnx.ml.Normalizer(%x0) <{since = 1}> : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
