// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.sqrt of the sum of the squares in f64, rounded to the type; integers are cut off.

// CHECK-LABEL: @reducel2_all_absent
// CHECK: onnx.Constant dense<5.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducel2_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[3.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Absent
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> : (tensor<2x2xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducel2_all_empty_axes
// CHECK: onnx.Constant dense<5.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducel2_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[3.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> : (tensor<2x2xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reducel2_noop
// CHECK{LITERAL}: onnx.Constant dense<[[3.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @reducel2_noop() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[3.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> {noop_with_empty_axes = 1 : i64} : (tensor<2x2xf32>, tensor<0xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @reducel2_rank_0
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducel2_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceL2(%x) <{since = 18}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducel2_rank_0_no_axes
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducel2_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducel2_of_nothing
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return
func.func @reducel2_of_nothing() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reducel2_of_nothing_all
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducel2_of_nothing_all() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ReduceL2(%x) <{since = 18}> : (tensor<2x0xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducel2_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reducel2_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// sqrt(3) = 1.73
// CHECK-LABEL: @reducel2_i32_cut_off
// CHECK: onnx.Constant dense<1> : tensor<i32>
// CHECK-NEXT: return
func.func @reducel2_i32_cut_off() -> tensor<i32> {
  %x = onnx.Constant dense<1> : tensor<3xi32>
  %r = onnx.ReduceL2(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<3xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// The squares do not fit i64.
// CHECK-LABEL: @reducel2_i64_large
// CHECK: onnx.Constant dense<5497558138880> : tensor<i64>
// CHECK-NEXT: return
func.func @reducel2_i64_large() -> tensor<i64> {
  %x = onnx.Constant dense<[3298534883328, 4398046511104]> : tensor<2xi64>
  %r = onnx.ReduceL2(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @reducel2_i32_noop
// CHECK: onnx.Constant dense<3> : tensor<1xi32>
// CHECK-NEXT: return
func.func @reducel2_i32_noop() -> tensor<1xi32> {
  %x = onnx.Constant dense<-3> : tensor<1xi32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> {noop_with_empty_axes = 1 : i64} : (tensor<1xi32>, tensor<0xi64>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// The squares do not fit f32.
// CHECK-LABEL: @reducel2_f32_no_overflow
// CHECK: onnx.Constant dense<5.000000e+30> : tensor<f32>
// CHECK-NEXT: return
func.func @reducel2_f32_no_overflow() -> tensor<f32> {
  %x = onnx.Constant dense<[3.000000e+30, 4.000000e+30]> : tensor<2xf32>
  %r = onnx.ReduceL2(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducel2_infinities
// CHECK: onnx.Constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducel2_infinities() -> tensor<f32> {
  %x = onnx.Constant dense<[0xFF800000, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.ReduceL2(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducel2_i64_of_nothing
// CHECK: onnx.Constant dense<0> : tensor<i64>
// CHECK-NEXT: return
func.func @reducel2_i64_of_nothing() -> tensor<i64> {
  %x = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL2(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<0xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// sqrt(2) * 2^31
// CHECK-LABEL: @reducel2_i32_out_of_range_stays
// CHECK: onnx.ReduceL2(
func.func @reducel2_i32_out_of_range_stays() -> tensor<i32> {
  %x = onnx.Constant dense<-2147483648> : tensor<2xi32>
  // expected-remark @+1 {{onnx.ReduceL2 not folded: element [] of the result is out of the range of i32}}
  %r = onnx.ReduceL2(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: @reducel2_axis_stays
// CHECK: onnx.ReduceL2(
func.func @reducel2_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[3.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceL2 not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reducel2_axis_twice_stays
// CHECK: onnx.ReduceL2(
func.func @reducel2_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[3.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceL2 not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceL2(%x, %y) <{since = 18}> : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
