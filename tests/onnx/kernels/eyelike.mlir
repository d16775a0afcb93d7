// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.eye.

// CHECK-LABEL: @eyelike_negative_k_bool
// CHECK{LITERAL}: onnx.Constant dense<[[false, false, false], [true, false, false]]> : tensor<2x3xi1>
// CHECK-NEXT: return
func.func @eyelike_negative_k_bool() -> tensor<2x3xi1> {
  %x0 = onnx.Constant dense<0> : tensor<2x3xi32>
  %r = onnx.EyeLike(%x0) <{since = 9}> {dtype = 9 : i64, k = -1 : i64} : (tensor<2x3xi32>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}

// -----

// CHECK-LABEL: @eyelike_value_unknown
// CHECK{LITERAL}: onnx.Constant dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>
// CHECK-NEXT: return
func.func @eyelike_value_unknown(%x: tensor<2x2xi64>) -> tensor<2x2xi64> {
  %r = onnx.EyeLike(%x) <{since = 9}> : (tensor<2x2xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// -----

// CHECK-LABEL: @eyelike_shape_unknown_stays
// CHECK: onnx.EyeLike(
func.func @eyelike_shape_unknown_stays(%x: tensor<2x?xi64>) -> tensor<2x?xi64> {
  %r = onnx.EyeLike(%x) <{since = 9}> : (tensor<2x?xi64>) -> tensor<2x?xi64>
  return %r : tensor<2x?xi64>
}
