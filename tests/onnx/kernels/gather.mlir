// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.take.

// CHECK-LABEL: @gather_no_index
// CHECK: onnx.Constant dense<> : tensor<2x0x2xf32>
// CHECK-NEXT: return
func.func @gather_no_index() -> tensor<2x0x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<> : tensor<2x0xi64>
  %r = onnx.Gather(%x, %y) <{since = 13}> : (tensor<3x2xf32>, tensor<2x0xi64>) -> tensor<2x0x2xf32>
  return %r : tensor<2x0x2xf32>
}

// -----

// B5.
// CHECK-LABEL: @gather_beyond_stays
// CHECK: onnx.Gather(
func.func @gather_beyond_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[0, 3]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Gather not folded: index [1] is 3, the dimension is 3}}
  %r = onnx.Gather(%x, %y) <{since = 13}> : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @gather_below_stays
// CHECK: onnx.Gather(
func.func @gather_below_stays() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<-4> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Gather not folded: index [0] is -4, the dimension is 3}}
  %r = onnx.Gather(%x, %y) <{since = 13}> : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @gather_minimum_stays
// CHECK: onnx.Gather(
func.func @gather_minimum_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<-9223372036854775808> : tensor<i64>
  // expected-remark @+1 {{onnx.Gather not folded: index [] is -9223372036854775808, the dimension is 3}}
  %r = onnx.Gather(%x, %y) <{since = 13}> : (tensor<3x2xf32>, tensor<i64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @gather_negative_version_1_stays
// CHECK: onnx.Gather(
func.func @gather_negative_version_1_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[0, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Gather not folded: index [1] is -1, and this version has no negative ones}}
  %r = onnx.Gather(%x, %y) <{since = 1}> : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @gather_of_nothing_stays
// CHECK: onnx.Gather(
func.func @gather_of_nothing_stays() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Gather not folded: index [0] is 0, the dimension is 0}}
  %r = onnx.Gather(%x, %y) <{since = 13}> : (tensor<0x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @gather_axis_stays
// CHECK: onnx.Gather(
func.func @gather_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Gather not folded: attribute 'axis' is 2, the rank is 2}}
  %r = onnx.Gather(%x, %y) <{since = 13}> {axis = 2 : i64} : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @gather_rank_0_stays
// CHECK: onnx.Gather(
func.func @gather_rank_0_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Gather not folded: attribute 'axis' is 0, the rank is 0}}
  %r = onnx.Gather(%x, %y) <{since = 13}> : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @gather_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @gather_symbols(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %i = onnx.Constant dense<[-1, 1]> : tensor<2xi64>
  %r = onnx.Gather(%s, %i) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
