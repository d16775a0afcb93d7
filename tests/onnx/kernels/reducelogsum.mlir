// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.log of numpy.sum in f64, rounded to the type; integers are cut off.

// CHECK-LABEL: @reducelogsum_all_absent
// CHECK: onnx.Constant dense<2.37490582> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducelogsum_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[5.000000e-01, 2.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Absent
  %r = onnx.ReduceLogSum(%x, %y) <{since = 28}> : (tensor<2x3xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducelogsum_all_empty_axes
// CHECK: onnx.Constant dense<2.37490582> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducelogsum_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[5.000000e-01, 2.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceLogSum(%x, %y) <{since = 28}> : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reducelogsum_noop
// CHECK{LITERAL}: onnx.Constant dense<[[-0.693147182, 0.693147182, 0.000000e+00], [-1.38629436, 1.38629436, 1.09861231]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @reducelogsum_noop() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[5.000000e-01, 2.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceLogSum(%x, %y) <{since = 28}> {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @reducelogsum_rank_0
// CHECK: onnx.Constant dense<1.38629436> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsum_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceLogSum(%x) <{since = 28}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsum_rank_0_no_axes
// CHECK: onnx.Constant dense<1.38629436> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsum_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceLogSum(%x, %y) <{since = 28}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsum_of_nothing
// CHECK: onnx.Constant dense<0xFF800000> : tensor<2xf32>
// CHECK-NEXT: return
func.func @reducelogsum_of_nothing() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.ReduceLogSum(%x, %y) <{since = 28}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reducelogsum_of_nothing_all
// CHECK: onnx.Constant dense<0xFF800000> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducelogsum_of_nothing_all() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ReduceLogSum(%x) <{since = 28}> : (tensor<2x0xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducelogsum_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reducelogsum_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceLogSum(%x, %y) <{since = 28}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @reducelogsum_zero
// CHECK: onnx.Constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsum_zero() -> tensor<f32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %r = onnx.ReduceLogSum(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<1xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsum_infinity
// CHECK: onnx.Constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsum_infinity() -> tensor<f32> {
  %x = onnx.Constant dense<[0x7F800000, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.ReduceLogSum(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducelogsum_nan
// CHECK: onnx.Constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsum_nan() -> tensor<f32> {
  %x = onnx.Constant dense<[0x7FC00000, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.ReduceLogSum(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// The sum does not fit f32.
// CHECK-LABEL: @reducelogsum_f32_no_overflow
// CHECK: onnx.Constant dense<88.8845291> : tensor<f32>
// CHECK-NEXT: return
func.func @reducelogsum_f32_no_overflow() -> tensor<f32> {
  %x = onnx.Constant dense<2.000000e+38> : tensor<2xf32>
  %r = onnx.ReduceLogSum(%x) <{since = 28}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// log(22) = 3.09
// CHECK-LABEL: @reducelogsum_i32_cut_off
// CHECK: onnx.Constant dense<3> : tensor<i32>
// CHECK-NEXT: return
func.func @reducelogsum_i32_cut_off() -> tensor<i32> {
  %x = onnx.Constant dense<[10, 12]> : tensor<2xi32>
  %r = onnx.ReduceLogSum(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// log(3 * 2^62) = 44.07; the sum does not fit i64.
// CHECK-LABEL: @reducelogsum_i64_large
// CHECK: onnx.Constant dense<44> : tensor<i64>
// CHECK-NEXT: return
func.func @reducelogsum_i64_large() -> tensor<i64> {
  %x = onnx.Constant dense<4611686018427387904> : tensor<3xi64>
  %r = onnx.ReduceLogSum(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<3xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// log(0)
// CHECK-LABEL: @reducelogsum_i32_zero_stays
// CHECK: onnx.ReduceLogSum(
func.func @reducelogsum_i32_zero_stays() -> tensor<i32> {
  %x = onnx.Constant dense<[1, -1]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.ReduceLogSum not folded: element [] of the result is out of the range of i32}}
  %r = onnx.ReduceLogSum(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: @reducelogsum_axis_stays
// CHECK: onnx.ReduceLogSum(
func.func @reducelogsum_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[5.000000e-01, 2.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceLogSum not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceLogSum(%x, %y) <{since = 28}> : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reducelogsum_axis_twice_stays
// CHECK: onnx.ReduceLogSum(
func.func @reducelogsum_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[5.000000e-01, 2.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceLogSum not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceLogSum(%x, %y) <{since = 28}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
