// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.sum in f64, rounded to the type; integers wrap.

// CHECK-LABEL: @reducesum_all_absent
// CHECK: onnx.Constant dense<9.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducesum_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Absent
  %r = onnx.ReduceSum(%x, %y) <{since = 13}> : (tensor<2x3xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducesum_all_empty_axes
// CHECK: onnx.Constant dense<9.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducesum_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceSum(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reducesum_noop
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @reducesum_noop() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceSum(%x, %y) <{since = 13}> {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @reducesum_rank_0
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducesum_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceSum(%x) <{since = 13}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducesum_rank_0_no_axes
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducesum_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceSum(%x, %y) <{since = 13}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducesum_of_nothing
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return
func.func @reducesum_of_nothing() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.ReduceSum(%x, %y) <{since = 13}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reducesum_of_nothing_all
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducesum_of_nothing_all() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ReduceSum(%x) <{since = 13}> : (tensor<2x0xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducesum_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reducesum_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceSum(%x, %y) <{since = 13}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @reducesum_i32_wraps
// CHECK: onnx.Constant dense<-2147483648> : tensor<i32>
// CHECK-NEXT: return
func.func @reducesum_i32_wraps() -> tensor<i32> {
  %x = onnx.Constant dense<[2147483647, 1]> : tensor<2xi32>
  %r = onnx.ReduceSum(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// 2051 is rounded once (to even); in f16 steps it would be 2048.
// CHECK-LABEL: @reducesum_f16_once
// CHECK: onnx.Constant dense<2.052000e+03> : tensor<f16>
// CHECK-NEXT: return
func.func @reducesum_f16_once() -> tensor<f16> {
  %x = onnx.Constant dense<[2.048000e+03, 1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf16>
  %r = onnx.ReduceSum(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<4xf16>) -> tensor<f16>
  return %r : tensor<f16>
}

// -----

// CHECK-LABEL: @reducesum_infinities
// CHECK: onnx.Constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducesum_infinities() -> tensor<f32> {
  %x = onnx.Constant dense<[0x7F800000, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.ReduceSum(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducesum_nan
// CHECK: onnx.Constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducesum_nan() -> tensor<f32> {
  %x = onnx.Constant dense<[0x7FC00000, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.ReduceSum(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducesum_axis_stays
// CHECK: onnx.ReduceSum(
func.func @reducesum_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceSum not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceSum(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reducesum_axis_twice_stays
// CHECK: onnx.ReduceSum(
func.func @reducesum_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceSum not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceSum(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// d + 3 - d.
// CHECK-LABEL: @reducesum_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<i64>
// CHECK: return %[[R]]
func.func @reducesum_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %m = onnx.ReduceSum(%s) <{since = 13}> {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  %z = onnx.Constant dense<0> : tensor<i64>
  %n = onnx.Gather(%s, %z) <{since = 13}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %r = onnx.Sub(%m, %n) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// It is not known.
// CHECK-LABEL: @reducesum_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.ReduceSum(
// CHECK: return %[[R]]
func.func @reducesum_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %r = onnx.ReduceSum(%s) <{since = 13}> {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// In doubles the one is lost: 0.
// CHECK-LABEL: @reducesum_i64_inexact_in_between
// CHECK: onnx.Constant dense<1> : tensor<i64>
// CHECK-NEXT: return
func.func @reducesum_i64_inexact_in_between() -> tensor<i64> {
  %x = onnx.Constant dense<[1152921504606846976, 1, -1152921504606846976]> : tensor<3xi64>
  %r = onnx.ReduceSum(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<3xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @reducesum_i64_exact_in_doubles
// CHECK: onnx.Constant dense<-1> : tensor<i64>
func.func @reducesum_i64_exact_in_doubles() -> tensor<i64> {
  %x = onnx.Constant dense<[4503599627370495, -4503599627370496]> : tensor<2xi64>
  %r = onnx.ReduceSum(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// The first two do not fit, all three do.
// CHECK-LABEL: @reducesum_i32_fits_in_the_end
// CHECK: onnx.Constant dense<2147483645> : tensor<i32>
func.func @reducesum_i32_fits_in_the_end() -> tensor<i32> {
  %x = onnx.Constant dense<[2147483647, 5, -7]> : tensor<3xi32>
  %r = onnx.ReduceSum(%x) <{since = 13}> {keepdims = 0 : i64} : (tensor<3xi32>) -> tensor<i32>
  return %r : tensor<i32>
}
