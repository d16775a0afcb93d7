// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.log of the sum of numpy.exp in f64, rounded to the type; integers are cut off.

// CHECK-LABEL: @reducelogsumexp_attribute
// CHECK{LITERAL}: onnx.Constant dense<[[2.31817532], [5.31817532]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @reducelogsumexp_attribute() -> tensor<2x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 1}> {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_all_absent
// CHECK: onnx.Constant dense<5.36676264> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducelogsumexp_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Absent
  %r = onnx.ReduceLogSumExp(%x, %y) <{since = 28}> : (tensor<2x3xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_all_empty_axes
// CHECK: onnx.Constant dense<5.36676264> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducelogsumexp_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceLogSumExp(%x, %y) <{since = 28}> : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reducelogsumexp_noop
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @reducelogsumexp_noop() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceLogSumExp(%x, %y) <{since = 28}> {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_rank_0
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsumexp_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 28}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_rank_0_no_axes
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsumexp_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceLogSumExp(%x, %y) <{since = 28}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_of_nothing
// CHECK: onnx.Constant dense<0xFF800000> : tensor<2xf32>
// CHECK-NEXT: return
func.func @reducelogsumexp_of_nothing() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.ReduceLogSumExp(%x, %y) <{since = 28}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_of_nothing_all
// CHECK: onnx.Constant dense<0xFF800000> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducelogsumexp_of_nothing_all() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 28}> : (tensor<2x0xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reducelogsumexp_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceLogSumExp(%x, %y) <{since = 28}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_no_overflow
// CHECK: onnx.Constant dense<1000.69318> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsumexp_no_overflow() -> tensor<f32> {
  %x = onnx.Constant dense<1.000000e+03> : tensor<2xf32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_no_underflow
// CHECK: onnx.Constant dense<-499.306854> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsumexp_no_underflow() -> tensor<f32> {
  %x = onnx.Constant dense<-5.000000e+02> : tensor<2xf32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_infinity
// CHECK: onnx.Constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsumexp_infinity() -> tensor<f32> {
  %x = onnx.Constant dense<[0x7F800000, 1.000000e+00, 0xFF800000]> : tensor<3xf32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_minus_infinity
// CHECK: onnx.Constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsumexp_minus_infinity() -> tensor<f32> {
  %x = onnx.Constant dense<0xFF800000> : tensor<2xf32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_nan
// CHECK: onnx.Constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsumexp_nan() -> tensor<f32> {
  %x = onnx.Constant dense<[0x7FC00000, 0x7F800000]> : tensor<2xf32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// log(2 e) = 1.69
// CHECK-LABEL: @reducelogsumexp_i32_cut_off
// CHECK: onnx.Constant dense<1> : tensor<i32>
// CHECK-NEXT: return
func.func @reducelogsumexp_i32_cut_off() -> tensor<i32> {
  %x = onnx.Constant dense<1> : tensor<2xi32>
  %r = onnx.ReduceLogSumExp(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_i64_large
// CHECK: onnx.Constant dense<1099511627776> : tensor<i64>
// CHECK-NEXT: return
func.func @reducelogsumexp_i64_large() -> tensor<i64> {
  %x = onnx.Constant dense<1099511627776> : tensor<2xi64>
  %r = onnx.ReduceLogSumExp(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @reducelogsumexp_i32_of_nothing_stays
// CHECK: onnx.ReduceLogSumExp(
func.func @reducelogsumexp_i32_of_nothing_stays() -> tensor<i32> {
  %x = onnx.Constant dense<> : tensor<0xi32>
  // expected-remark @+1 {{onnx.ReduceLogSumExp not folded: element [] of the result is out of the range of i32}}
  %r = onnx.ReduceLogSumExp(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<0xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_axis_stays
// CHECK: onnx.ReduceLogSumExp(
func.func @reducelogsumexp_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceLogSumExp not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceLogSumExp(%x, %y) <{since = 28}> : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reducelogsumexp_axis_twice_stays
// CHECK: onnx.ReduceLogSumExp(
func.func @reducelogsumexp_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceLogSumExp not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceLogSumExp(%x, %y) <{since = 28}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
