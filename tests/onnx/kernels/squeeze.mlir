// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.squeeze.

// CHECK-LABEL: @squeeze_all_absent
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @squeeze_all_absent() -> tensor<3xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00], [1.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %y = onnx.Absent
  %r = onnx.Squeeze(%x, %y) <{since = 13}> : (tensor<1x3x1xf32>, none) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// A list that names no axis is one that is missing in ONNX Runtime, and not in the reference evaluator: it was folded to x.
// CHECK-LABEL: @squeeze_empty_axes_stays
// CHECK: onnx.Squeeze(
func.func @squeeze_empty_axes_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00], [1.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  // expected-remark @+1 {{onnx.Squeeze not folded: the list of axes is empty, which means all of size 1 or none}}
  %r = onnx.Squeeze(%x, %y) <{since = 13}> : (tensor<1x3x1xf32>, tensor<0xi64>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @squeeze_empty_attribute_stays
// CHECK: onnx.Squeeze(
func.func @squeeze_empty_attribute_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00], [1.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  // expected-remark @+1 {{onnx.Squeeze not folded: the list of axes is empty, which means all of size 1 or none}}
  %r = onnx.Squeeze(%x) <{since = 11}> {axes = array<i64>} : (tensor<1x3x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @squeeze_empty_axes_without_ones
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @squeeze_empty_axes_without_ones() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.Squeeze(%x, %y) <{since = 13}> : (tensor<3xf32>, tensor<0xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @squeeze_empty_tensor
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @squeeze_empty_tensor() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<0x1xf32>
  %y = onnx.Constant dense<-1> : tensor<1xi64>
  %r = onnx.Squeeze(%x, %y) <{since = 13}> : (tensor<0x1xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @squeeze_not_one_stays
// CHECK: onnx.Squeeze(
func.func @squeeze_not_one_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00], [1.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Squeeze not folded: the axes are [1], not all of size 1 in [1, 3, 1]}}
  %r = onnx.Squeeze(%x, %y) <{since = 13}> : (tensor<1x3x1xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @squeeze_beyond_stays
// CHECK: onnx.Squeeze(
func.func @squeeze_beyond_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00], [1.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Squeeze not folded: the axes are [3], expected different ones of 3}}
  %r = onnx.Squeeze(%x, %y) <{since = 13}> : (tensor<1x3x1xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @squeeze_twice_stays
// CHECK: onnx.Squeeze(
func.func @squeeze_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00], [1.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %y = onnx.Constant dense<[0, -3]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Squeeze not folded: the axes are [0, -3], expected different ones of 3}}
  %r = onnx.Squeeze(%x, %y) <{since = 13}> : (tensor<1x3x1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @squeeze_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<i64>
// CHECK: return %[[R]]
func.func @squeeze_symbols(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %i = onnx.Constant dense<[[1]]> : tensor<1x1xi64>
  %r = onnx.Gather(%s, %i) <{since = 13}> : (tensor<2xi64>, tensor<1x1xi64>) -> tensor<1x1xi64>
  %q = onnx.Squeeze(%r) <{since = 13}> : (tensor<1x1xi64>) -> tensor<i64>
  return %q : tensor<i64>
}
