// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.compress.

// CHECK-LABEL: @compress_none
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x2xi64>
// CHECK-NEXT: return
func.func @compress_none() -> tensor<0x2xi64> {
  %x0 = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %x1 = onnx.Constant dense<false> : tensor<3xi1>
  %r = onnx.Compress(%x0, %x1) <{since = 11}> {axis = 0 : i64} : (tensor<3x2xi64>, tensor<3xi1>) -> tensor<0x2xi64>
  return %r : tensor<0x2xi64>
}

// -----

// CHECK-LABEL: @compress_long_stays
// CHECK: onnx.Compress(
func.func @compress_long_stays() -> tensor<?x2xi64> {
  %x0 = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %x1 = onnx.Constant dense<true> : tensor<4xi1>
  // expected-remark @+1 {{onnx.Compress not folded: the condition has shape [4], axis 0 has size 3}}
  %r = onnx.Compress(%x0, %x1) <{since = 11}> {axis = 0 : i64} : (tensor<3x2xi64>, tensor<4xi1>) -> tensor<?x2xi64>
  return %r : tensor<?x2xi64>
}

// -----

// CHECK-LABEL: @compress_axis_stays
// CHECK: onnx.Compress(
func.func @compress_axis_stays() -> tensor<?x2xi64> {
  %x0 = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %x1 = onnx.Constant dense<true> : tensor<3xi1>
  // expected-remark @+1 {{onnx.Compress not folded: attribute 'axis' is 2, the rank is 2}}
  %r = onnx.Compress(%x0, %x1) <{since = 11}> {axis = 2 : i64} : (tensor<3x2xi64>, tensor<3xi1>) -> tensor<?x2xi64>
  return %r : tensor<?x2xi64>
}
