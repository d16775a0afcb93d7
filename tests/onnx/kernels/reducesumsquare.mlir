// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.sum of the squares; integers wrap.

// CHECK-LABEL: @reducesumsquare_all_absent
// CHECK: onnx.Constant dense<5.500000e+01> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducesumsquare_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Absent
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> : (tensor<2x3xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducesumsquare_all_empty_axes
// CHECK: onnx.Constant dense<5.500000e+01> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducesumsquare_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reducesumsquare_noop
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 4.000000e+00, 9.000000e+00], [1.600000e+01, 0.000000e+00, 2.500000e+01]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @reducesumsquare_noop() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @reducesumsquare_rank_0
// CHECK: onnx.Constant dense<1.600000e+01> : tensor<f32>
// CHECK-NEXT: return
func.func @reducesumsquare_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceSumSquare(%x) <{since = 18}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducesumsquare_rank_0_no_axes
// CHECK: onnx.Constant dense<1.600000e+01> : tensor<f32>
// CHECK-NEXT: return
func.func @reducesumsquare_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducesumsquare_of_nothing
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return
func.func @reducesumsquare_of_nothing() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reducesumsquare_of_nothing_all
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducesumsquare_of_nothing_all() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ReduceSumSquare(%x) <{since = 18}> : (tensor<2x0xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducesumsquare_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reducesumsquare_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// 2^32 wraps to 0.
// CHECK-LABEL: @reducesumsquare_i32_wraps
// CHECK: onnx.Constant dense<9> : tensor<i32>
// CHECK-NEXT: return
func.func @reducesumsquare_i32_wraps() -> tensor<i32> {
  %x = onnx.Constant dense<[65536, 3]> : tensor<2xi32>
  %r = onnx.ReduceSumSquare(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: @reducesumsquare_i64_noop
// CHECK: onnx.Constant dense<9> : tensor<1xi64>
// CHECK-NEXT: return
func.func @reducesumsquare_i64_noop() -> tensor<1xi64> {
  %x = onnx.Constant dense<-3> : tensor<1xi64>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> {noop_with_empty_axes = 1 : i64} : (tensor<1xi64>, tensor<0xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// 90001 is beyond f16.
// CHECK-LABEL: @reducesumsquare_f16_once
// CHECK: onnx.Constant dense<0x7C00> : tensor<f16>
// CHECK-NEXT: return
func.func @reducesumsquare_f16_once() -> tensor<f16> {
  %x = onnx.Constant dense<[3.000000e+02, 1.000000e+00]> : tensor<2xf16>
  %r = onnx.ReduceSumSquare(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf16>) -> tensor<f16>
  return %r : tensor<f16>
}

// -----

// CHECK-LABEL: @reducesumsquare_infinities
// CHECK: onnx.Constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducesumsquare_infinities() -> tensor<f32> {
  %x = onnx.Constant dense<[0xFF800000, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.ReduceSumSquare(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducesumsquare_axis_stays
// CHECK: onnx.ReduceSumSquare(
func.func @reducesumsquare_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceSumSquare not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reducesumsquare_axis_twice_stays
// CHECK: onnx.ReduceSumSquare(
func.func @reducesumsquare_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceSumSquare not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceSumSquare(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
