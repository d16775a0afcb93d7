// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.where(index == arange(depth), on, off).

// Negative indices are out of range in version 9, but not in ONNX Runtime.
// CHECK-LABEL: @onehot_negative_version_9_stays
// CHECK: onnx.OneHot(
func.func @onehot_negative_version_9_stays() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[0, -1]> : tensor<2xi64>
  %y = onnx.Constant dense<3> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.OneHot not folded: index [1] is negative, which is off before opset 11, and counted from the end in ONNX Runtime}}
  %r = onnx.OneHot(%x, %y, %z) <{since = 9}> : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @onehot_version_9
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @onehot_version_9() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[3, 0]> : tensor<2xi64>
  %y = onnx.Constant dense<3> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.OneHot(%x, %y, %z) <{since = 9}> : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// All off.
// CHECK-LABEL: @onehot_out_of_range
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<4x3xf32>
// CHECK-NEXT: return
func.func @onehot_out_of_range() -> tensor<4x3xf32> {
  %x = onnx.Constant dense<[3, -4, 9223372036854775807, -9223372036854775808]> : tensor<4xi64>
  %y = onnx.Constant dense<3> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<4xi64>, tensor<i64>, tensor<2xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: @onehot_rank_0
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @onehot_rank_0() -> tensor<2xf32> {
  %x = onnx.Constant dense<1> : tensor<i64>
  %y = onnx.Constant dense<2> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<i64>, tensor<i64>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Cast to i64: cut off.
// CHECK-LABEL: @onehot_f32_indices
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @onehot_f32_indices() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[1.900000e+00, -1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<2xf32>, tensor<f32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @onehot_u8
// CHECK{LITERAL}: onnx.Constant dense<[[false, true]]> : tensor<1x2xi1>
// CHECK-NEXT: return
func.func @onehot_u8() -> tensor<1x2xi1> {
  %x = onnx.Constant dense<1> : tensor<1xui8>
  %y = onnx.Constant dense<2> : tensor<1xui8>
  %z = onnx.Constant dense<[false, true]> : tensor<2xi1>
  %r = onnx.OneHot(%x, %y, %z) <{since = 28}> : (tensor<1xui8>, tensor<1xui8>, tensor<2xi1>) -> tensor<1x2xi1>
  return %r : tensor<1x2xi1>
}

// -----

// CHECK-LABEL: @onehot_depth_0
// CHECK: onnx.Constant dense<> : tensor<1x0xf32>
// CHECK-NEXT: return
func.func @onehot_depth_0() -> tensor<1x0xf32> {
  %x = onnx.Constant dense<1> : tensor<1xi64>
  %y = onnx.Constant dense<0> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<1xi64>, tensor<i64>, tensor<2xf32>) -> tensor<1x0xf32>
  return %r : tensor<1x0xf32>
}

// -----

// CHECK-LABEL: @onehot_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @onehot_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0xi64>
  %y = onnx.Constant dense<2> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<0xi64>, tensor<i64>, tensor<2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @onehot_nan_stays
// CHECK: onnx.OneHot(
func.func @onehot_nan_stays() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<0x7FC00000> : tensor<1xf32>
  %y = onnx.Constant dense<2> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.OneHot not folded: indices or depth are out of the range of i64}}
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<1xf32>, tensor<i64>, tensor<2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @onehot_negative_depth_stays
// CHECK: onnx.OneHot(
func.func @onehot_negative_depth_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.Constant dense<-1> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.OneHot not folded: depth is -1}}
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<1xi64>, tensor<i64>, tensor<2xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @onehot_two_depths_stays
// CHECK: onnx.OneHot(
func.func @onehot_two_depths_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.Constant dense<2> : tensor<2xi64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.OneHot not folded: input #1 has shape [2], expected one element}}
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<1xi64>, tensor<2xi64>, tensor<2xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @onehot_values_stays
// CHECK: onnx.OneHot(
func.func @onehot_values_stays() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.Constant dense<2> : tensor<i64>
  %z = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.OneHot not folded: values have shape [1], expected [2]}}
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<1xi64>, tensor<i64>, tensor<1xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @onehot_axis_stays
// CHECK: onnx.OneHot(
func.func @onehot_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.Constant dense<2> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.OneHot not folded: attribute 'axis' is 2, the rank is 2}}
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> {axis = 2 : i64} : (tensor<1xi64>, tensor<i64>, tensor<2xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @onehot_huge_stays
// CHECK: onnx.OneHot(
func.func @onehot_huge_stays() -> tensor<1x1099511627776xf32> {
  %x = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.Constant dense<1099511627776> : tensor<i64>
  %z = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.OneHot not folded: the result has shape [1, 1099511627776], more than 1073741824 bytes}}
  %r = onnx.OneHot(%x, %y, %z) <{since = 11}> : (tensor<1xi64>, tensor<i64>, tensor<2xf32>) -> tensor<1x1099511627776xf32>
  return %r : tensor<1x1099511627776xf32>
}
