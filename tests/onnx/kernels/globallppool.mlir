// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @globallppool_negative_p_stays
// CHECK: onnx.GlobalLpPool(
func.func @globallppool_negative_p_stays() -> tensor<1x2x1x1xf32> {
  %x0 = onnx.Constant dense<[[[[3.000000e+00, -4.000000e+00], [0.000000e+00, 0.000000e+00]], [[5.000000e+00, 0.000000e+00], [0.000000e+00, 1.200000e+01]]]]> : tensor<1x2x2x2xf32>
  // expected-remark @+1 {{onnx.GlobalLpPool not folded: attribute 'p' is not a positive number}}
  %r = onnx.GlobalLpPool(%x0) <{since = 22}> {p = -1 : i64} : (tensor<1x2x2x2xf32>) -> tensor<1x2x1x1xf32>
  return %r : tensor<1x2x1x1xf32>
}

// -----

// CHECK-LABEL: @globallppool_nothing_stays
// CHECK: onnx.GlobalLpPool(
func.func @globallppool_nothing_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<> : tensor<1x1x0xf32>
  // expected-remark @+1 {{onnx.GlobalLpPool not folded: input #0 has shape [1, 1, 0], there is nothing in a channel}}
  %r = onnx.GlobalLpPool(%x0) <{since = 22}> : (tensor<1x1x0xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
