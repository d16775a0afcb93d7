// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.reshape.

// CHECK-LABEL: @flatten_empty
// CHECK: onnx.Constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return
func.func @flatten_empty() -> tensor<0x3xf32> {
  %x = onnx.Constant dense<> : tensor<2x0x3xf32>
  %r = onnx.Flatten(%x) <{since = 13}> {axis = 2 : i64} : (tensor<2x0x3xf32>) -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

// -----

// CHECK-LABEL: @flatten_rank_0
// CHECK: onnx.Constant dense<5.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @flatten_rank_0() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<5.000000e+00> : tensor<f32>
  %r = onnx.Flatten(%x) <{since = 13}> {axis = 0 : i64} : (tensor<f32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @flatten_beyond_stays
// CHECK: onnx.Flatten(
func.func @flatten_beyond_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00, 1.000000e+00, 2.000000e+00]], [[3.000000e+00, 4.000000e+00, 5.000000e+00]]]> : tensor<2x1x3xf32>
  // expected-remark @+1 {{onnx.Flatten not folded: attribute 'axis' is 4, the rank is 3}}
  %r = onnx.Flatten(%x) <{since = 13}> {axis = 4 : i64} : (tensor<2x1x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @flatten_below_stays
// CHECK: onnx.Flatten(
func.func @flatten_below_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00, 1.000000e+00, 2.000000e+00]], [[3.000000e+00, 4.000000e+00, 5.000000e+00]]]> : tensor<2x1x3xf32>
  // expected-remark @+1 {{onnx.Flatten not folded: attribute 'axis' is -4, the rank is 3}}
  %r = onnx.Flatten(%x) <{since = 13}> {axis = -4 : i64} : (tensor<2x1x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @flatten_rank_0_default_stays
// CHECK: onnx.Flatten(
func.func @flatten_rank_0_default_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<5.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Flatten not folded: attribute 'axis' is 1, the rank is 0}}
  %r = onnx.Flatten(%x) <{since = 13}> : (tensor<f32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @flatten_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<1xi64>
// CHECK: return %[[R]]
func.func @flatten_symbols(%x: tensor<?x3xf32>) -> tensor<1xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %t = onnx.Flatten(%s) <{since = 13}> {axis = 0 : i64} : (tensor<2xi64>) -> tensor<1x2xi64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%t, %i) <{since = 13}> {axis = 1 : i64} : (tensor<1x2xi64>, tensor<i64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}
