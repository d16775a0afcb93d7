// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.transpose.

// CHECK-LABEL: @transpose_rank_0
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @transpose_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %r = onnx.Transpose(%x) <{since = 13}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @transpose_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @transpose_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %r = onnx.Transpose(%x) <{since = 13}> : (tensor<0x2xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @transpose_twice_stays
// CHECK: onnx.Transpose(
func.func @transpose_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Transpose not folded: attribute 'perm' is [1, 1], expected a permutation of the 2 dimensions}}
  %r = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @transpose_negative_stays
// CHECK: onnx.Transpose(
func.func @transpose_negative_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Transpose not folded: attribute 'perm' is [-1, 0], expected a permutation of the 2 dimensions}}
  %r = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: -1, 0>} : (tensor<2x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @transpose_short_stays
// CHECK: onnx.Transpose(
func.func @transpose_short_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Transpose not folded: attribute 'perm' is [0], expected a permutation of the 2 dimensions}}
  %r = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
