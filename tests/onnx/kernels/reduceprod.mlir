// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.prod in f64, rounded to the type; integers wrap.

// CHECK-LABEL: @reduceprod_all_without_attribute
// CHECK: onnx.Constant dense<-0.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reduceprod_all_without_attribute() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.ReduceProd(%x) <{since = 13}> : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reduceprod_both_axes
// CHECK: onnx.Constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reduceprod_both_axes() -> tensor<f32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[-1, 0]> : tensor<2xi64>
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reduceprod_all_without_input
// CHECK: onnx.Constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reduceprod_all_without_input() -> tensor<f32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.ReduceProd(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reduceprod_all_absent
// CHECK: onnx.Constant dense<-0.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reduceprod_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Absent
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> : (tensor<2x3xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reduceprod_all_empty_axes
// CHECK: onnx.Constant dense<-0.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reduceprod_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reduceprod_noop
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @reduceprod_noop() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @reduceprod_rank_0
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reduceprod_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceProd(%x) <{since = 18}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reduceprod_rank_0_no_axes
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reduceprod_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reduceprod_of_nothing
// CHECK: onnx.Constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return
func.func @reduceprod_of_nothing() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reduceprod_of_nothing_all
// CHECK: onnx.Constant dense<1.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reduceprod_of_nothing_all() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ReduceProd(%x) <{since = 18}> : (tensor<2x0xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reduceprod_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reduceprod_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @reduceprod_i32_wraps
// CHECK: onnx.Constant dense<0> : tensor<i32>
// CHECK-NEXT: return
func.func @reduceprod_i32_wraps() -> tensor<i32> {
  %x = onnx.Constant dense<65536> : tensor<2xi32>
  %r = onnx.ReduceProd(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: @reduceprod_i64_of_nothing
// CHECK: onnx.Constant dense<1> : tensor<i64>
// CHECK-NEXT: return
func.func @reduceprod_i64_of_nothing() -> tensor<i64> {
  %x = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceProd(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<0xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// 65536 is beyond f16.
// CHECK-LABEL: @reduceprod_f16
// CHECK: onnx.Constant dense<0x7C00> : tensor<f16>
// CHECK-NEXT: return
func.func @reduceprod_f16() -> tensor<f16> {
  %x = onnx.Constant dense<[2.560000e+02, 5.120000e+02, 5.000000e-01]> : tensor<3xf16>
  %r = onnx.ReduceProd(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<3xf16>) -> tensor<f16>
  return %r : tensor<f16>
}

// -----

// The first product does not fit f32.
// CHECK-LABEL: @reduceprod_f32_no_overflow
// CHECK: onnx.Constant dense<1.000000e+30> : tensor<f32>
// CHECK-NEXT: return
func.func @reduceprod_f32_no_overflow() -> tensor<f32> {
  %x = onnx.Constant dense<[1.000000e+30, 1.000000e+30, 1.000000e-30]> : tensor<3xf32>
  %r = onnx.ReduceProd(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reduceprod_nan
// CHECK: onnx.Constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: return
func.func @reduceprod_nan() -> tensor<f32> {
  %x = onnx.Constant dense<[0.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.ReduceProd(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reduceprod_axis_stays
// CHECK: onnx.ReduceProd(
func.func @reduceprod_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceProd not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reduceprod_axis_twice_stays
// CHECK: onnx.ReduceProd(
func.func @reduceprod_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceProd not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceProd(%x, %y) <{since = 18}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// d * 3 is the number of elements.
// CHECK-LABEL: @reduceprod_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<0> : tensor<i64>
// CHECK: return %[[R]]
func.func @reduceprod_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %m = onnx.ReduceProd(%s) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  %n = onnx.Size(%x) <{since = 13}> : (tensor<?x3xf32>) -> tensor<i64>
  %r = onnx.Sub(%m, %n) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// It is not known.
// CHECK-LABEL: @reduceprod_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.ReduceProd(
// CHECK: return %[[R]]
func.func @reduceprod_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %r = onnx.ReduceProd(%s) <{since = 18}> {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  return %r : tensor<i64>
}
