// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.sum of numpy.abs; integers wrap.

// CHECK-LABEL: @reducel1_all_absent
// CHECK: onnx.Constant dense<1.500000e+01> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducel1_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Absent
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> : (tensor<2x3xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducel1_all_empty_axes
// CHECK: onnx.Constant dense<1.500000e+01> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducel1_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reducel1_noop
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @reducel1_noop() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @reducel1_rank_0
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducel1_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceL1(%x) <{since = 18}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducel1_rank_0_no_axes
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducel1_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducel1_of_nothing
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return
func.func @reducel1_of_nothing() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reducel1_of_nothing_all
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducel1_of_nothing_all() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ReduceL1(%x) <{since = 18}> : (tensor<2x0xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducel1_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reducel1_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// |-2^31| wraps to -2^31; the sum is 2^31 + 1 in 32 bits.
// CHECK-LABEL: @reducel1_i32_minimum
// CHECK: onnx.Constant dense<-2147483647> : tensor<i32>
// CHECK-NEXT: return
func.func @reducel1_i32_minimum() -> tensor<i32> {
  %x = onnx.Constant dense<[-2147483648, -1]> : tensor<2xi32>
  %r = onnx.ReduceL1(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: @reducel1_minus_0
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducel1_minus_0() -> tensor<f32> {
  %x = onnx.Constant dense<-0.000000e+00> : tensor<1xf32>
  %r = onnx.ReduceL1(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<1xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducel1_infinities
// CHECK: onnx.Constant dense<0x7F800000> : tensor<f32>
// CHECK-NEXT: return
func.func @reducel1_infinities() -> tensor<f32> {
  %x = onnx.Constant dense<[0xFF800000, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.ReduceL1(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducel1_i64_noop
// CHECK: onnx.Constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @reducel1_i64_noop() -> tensor<2xi64> {
  %x = onnx.Constant dense<[-1, 2]> : tensor<2xi64>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> {noop_with_empty_axes = 1 : i64} : (tensor<2xi64>, tensor<0xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @reducel1_axis_stays
// CHECK: onnx.ReduceL1(
func.func @reducel1_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceL1 not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reducel1_axis_twice_stays
// CHECK: onnx.ReduceL1(
func.func @reducel1_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceL1 not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceL1(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
