// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.argmax.

// CHECK-LABEL: @argmax_first_of_equal
// CHECK: onnx.Constant dense<1> : tensor<i64>
// CHECK-NEXT: return
func.func @argmax_first_of_equal() -> tensor<i64> {
  %x = onnx.Constant dense<[2.000000e+00, 7.000000e+00, 7.000000e+00, 2.000000e+00]> : tensor<4xf32>
  %r = onnx.ArgMax(%x) <{since = 12}> {keepdims = 0 : i64} : (tensor<4xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @argmax_last_of_equal
// CHECK: onnx.Constant dense<2> : tensor<i64>
// CHECK-NEXT: return
func.func @argmax_last_of_equal() -> tensor<i64> {
  %x = onnx.Constant dense<[2.000000e+00, 7.000000e+00, 7.000000e+00, 2.000000e+00]> : tensor<4xf32>
  %r = onnx.ArgMax(%x) <{since = 12}> {keepdims = 0 : i64, select_last_index = 1 : i64} : (tensor<4xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @argmax_nan_stays
// CHECK: onnx.ArgMax(
func.func @argmax_nan_stays() -> tensor<i64> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000, 5.000000e+00, 0x7FC00000]> : tensor<4xf32>
  // expected-remark @+1 {{onnx.ArgMax not folded: element [1] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.ArgMax(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<4xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @argmax_infinities
// CHECK: onnx.Constant dense<1> : tensor<i64>
// CHECK-NEXT: return
func.func @argmax_infinities() -> tensor<i64> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7F800000, 0xFF800000]> : tensor<3xf32>
  %r = onnx.ArgMax(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<3xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// -0 and 0 are equal.
// CHECK-LABEL: @argmax_zeros
// CHECK: onnx.Constant dense<0> : tensor<i64>
// CHECK-NEXT: return
func.func @argmax_zeros() -> tensor<i64> {
  %x = onnx.Constant dense<[-0.000000e+00, 0.000000e+00]> : tensor<2xf32>
  %r = onnx.ArgMax(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// Neighbours that a double cannot tell apart.
// CHECK-LABEL: @argmax_i64_far
// CHECK: onnx.Constant dense<1> : tensor<i64>
// CHECK-NEXT: return
func.func @argmax_i64_far() -> tensor<i64> {
  %x = onnx.Constant dense<[9007199254740992, 9007199254740993, 9007199254740991]> : tensor<3xi64>
  %r = onnx.ArgMax(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<3xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @argmax_empty_result
// CHECK: onnx.Constant dense<> : tensor<0x1xi64>
// CHECK-NEXT: return
func.func @argmax_empty_result() -> tensor<0x1xi64> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %r = onnx.ArgMax(%x) <{since = 13}> {axis = 1 : i64} : (tensor<0x2xf32>) -> tensor<0x1xi64>
  return %r : tensor<0x1xi64>
}

// -----

// CHECK-LABEL: @argmax_empty_axis_stays
// CHECK: onnx.ArgMax(
func.func @argmax_empty_axis_stays() -> tensor<1x2xi64> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  // expected-remark @+1 {{onnx.ArgMax not folded: input #0 has shape [0, 2], there is nothing to choose along axis 0}}
  %r = onnx.ArgMax(%x) <{since = 13}> : (tensor<0x2xf32>) -> tensor<1x2xi64>
  return %r : tensor<1x2xi64>
}

// -----

// CHECK-LABEL: @argmax_axis_stays
// CHECK: onnx.ArgMax(
func.func @argmax_axis_stays() -> tensor<?x?xi64> {
  %x = onnx.Constant dense<[[3.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 5.000000e+00, 4.000000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.ArgMax not folded: attribute 'axis' is 2, the rank is 2}}
  %r = onnx.ArgMax(%x) <{since = 13}> {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<?x?xi64>
  return %r : tensor<?x?xi64>
}

// -----

// CHECK-LABEL: @argmax_rank_0_stays
// CHECK: onnx.ArgMax(
func.func @argmax_rank_0_stays() -> tensor<i64> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.ArgMax not folded: attribute 'axis' is 0, the rank is 0}}
  %r = onnx.ArgMax(%x) <{since = 13}> : (tensor<f32>) -> tensor<i64>
  return %r : tensor<i64>
}
