// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.mean in f64, rounded to the type.

// CHECK-LABEL: @reducemean_all_absent
// CHECK: onnx.Constant dense<2.500000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducemean_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Absent
  %r = onnx.ReduceMean(%x, %y) <{since = 18}> : (tensor<2x2xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducemean_all_empty_axes
// CHECK: onnx.Constant dense<2.500000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducemean_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceMean(%x, %y) <{since = 18}> : (tensor<2x2xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reducemean_noop
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @reducemean_noop() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceMean(%x, %y) <{since = 18}> {noop_with_empty_axes = 1 : i64} : (tensor<2x2xf32>, tensor<0xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @reducemean_rank_0
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducemean_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceMean(%x) <{since = 18}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducemean_rank_0_no_axes
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducemean_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceMean(%x, %y) <{since = 18}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducemean_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reducemean_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceMean(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// -3 / 2, towards zero.
// CHECK-LABEL: @reducemean_i32_cut_off
// CHECK: onnx.Constant dense<-1> : tensor<i32>
// CHECK-NEXT: return
func.func @reducemean_i32_cut_off() -> tensor<i32> {
  %x = onnx.Constant dense<[-1, -2]> : tensor<2xi32>
  %r = onnx.ReduceMean(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// The sum wraps to -2^31, as numpy.mean(dtype=int32) has it.
// CHECK-LABEL: @reducemean_i32_wraps
// CHECK: onnx.Constant dense<-1073741824> : tensor<i32>
// CHECK-NEXT: return
func.func @reducemean_i32_wraps() -> tensor<i32> {
  %x = onnx.Constant dense<[2147483647, 1]> : tensor<2xi32>
  %r = onnx.ReduceMean(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// The sum does not fit f32.
// CHECK-LABEL: @reducemean_f32_no_overflow
// CHECK: onnx.Constant dense<3.000000e+38> : tensor<f32>
// CHECK-NEXT: return
func.func @reducemean_f32_no_overflow() -> tensor<f32> {
  %x = onnx.Constant dense<3.000000e+38> : tensor<2xf32>
  %r = onnx.ReduceMean(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// 2049 is half-way, to even.
// CHECK-LABEL: @reducemean_f16_once
// CHECK: onnx.Constant dense<2.048000e+03> : tensor<f16>
// CHECK-NEXT: return
func.func @reducemean_f16_once() -> tensor<f16> {
  %x = onnx.Constant dense<[2.048000e+03, 2.050000e+03]> : tensor<2xf16>
  %r = onnx.ReduceMean(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf16>) -> tensor<f16>
  return %r : tensor<f16>
}

// -----

// CHECK-LABEL: @reducemean_nan
// CHECK: onnx.Constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducemean_nan() -> tensor<f32> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.ReduceMean(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducemean_of_nothing_stays
// CHECK: onnx.ReduceMean(
func.func @reducemean_of_nothing_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceMean not folded: input #0 has shape [2, 0], and the mean of no elements is undefined}}
  %r = onnx.ReduceMean(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reducemean_i64_of_nothing_stays
// CHECK: onnx.ReduceMean(
func.func @reducemean_i64_of_nothing_stays() -> tensor<i64> {
  %x = onnx.Constant dense<> : tensor<0xi64>
  // expected-remark @+1 {{onnx.ReduceMean not folded: input #0 has shape [0], and the mean of no elements is undefined}}
  %r = onnx.ReduceMean(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<0xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @reducemean_axis_stays
// CHECK: onnx.ReduceMean(
func.func @reducemean_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceMean not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceMean(%x, %y) <{since = 18}> : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reducemean_axis_twice_stays
// CHECK: onnx.ReduceMean(
func.func @reducemean_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceMean not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceMean(%x, %y) <{since = 18}> : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
