// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: x * numpy.ones(shape).

// The result may be larger than the shape that is given.
// CHECK-LABEL: @expand_more_dimensions
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @expand_more_dimensions() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %r = onnx.Expand(%x, %y) <{since = 13}> : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @expand_smaller
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @expand_smaller() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.Expand(%x, %y) <{since = 13}> : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @expand_rank_0
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @expand_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.Expand(%x, %y) <{since = 13}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @expand_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @expand_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1xf32>
  %y = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %r = onnx.Expand(%x, %y) <{since = 13}> : (tensor<1x1xf32>, tensor<2xi64>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @expand_nan
// CHECK: onnx.Constant dense<0x7FC00000> : tensor<2xf32>
// CHECK-NEXT: return
func.func @expand_nan() -> tensor<2xf32> {
  %x = onnx.Constant dense<0x7FC00000> : tensor<1xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Expand(%x, %y) <{since = 13}> : (tensor<1xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @expand_mismatch_stays
// CHECK: onnx.Expand(
func.func @expand_mismatch_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Expand not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Expand(%x, %y) <{since = 13}> : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @expand_negative_stays
// CHECK: onnx.Expand(
func.func @expand_negative_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %y = onnx.Constant dense<-1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Expand not folded: shapes [1] and [-1] do not broadcast}}
  %r = onnx.Expand(%x, %y) <{since = 13}> : (tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @expand_huge_stays
// CHECK: onnx.Expand(
func.func @expand_huge_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %y = onnx.Constant dense<1099511627776> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Expand not folded: the result has shape [1099511627776], more than}}
  %r = onnx.Expand(%x, %y) <{since = 13}> : (tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @expand_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @expand_symbols(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %h = onnx.Constant dense<[2, 2]> : tensor<2xi64>
  %t = onnx.Expand(%s, %h) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%t, %i) <{since = 13}> {axis = 1 : i64} : (tensor<2x2xi64>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
