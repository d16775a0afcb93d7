// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @normalizer_max
// CHECK{LITERAL}: onnx.Constant dense<[[5.000000e-01, 1.000000e+00], [2.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @normalizer_max() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.0, 2.0], [-4.0, -2.0]]> : tensor<2x2xf32>
  %r = onnx.ml.Normalizer(%x0) <{since = 1}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @normalizer_l1
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01, -7.500000e-01], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @normalizer_l1() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1, -3], [0, 0]]> : tensor<2x2xi64>
  %r = onnx.ml.Normalizer(%x0) <{since = 1}> {norm = "L1"} : (tensor<2x2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @normalizer_l2_vector
// CHECK{LITERAL}: onnx.Constant dense<[6.000000e-01, -8.000000e-01]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @normalizer_l2_vector() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[3.0, -4.0]> : tensor<2xf64>
  %r = onnx.ml.Normalizer(%x0) <{since = 1}> {norm = "L2"} : (tensor<2xf64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @normalizer_max_is_0
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, -2.000000e+00]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @normalizer_max_is_0() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[0.0, -2.0]]> : tensor<1x2xf32>
  %r = onnx.ml.Normalizer(%x0) <{since = 1}> {norm = "MAX"} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

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
