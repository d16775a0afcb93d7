// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.eye.

// CHECK-LABEL: @eyelike_type_of_input
// CHECK{LITERAL}: onnx.Constant dense<[[1, 0, 0], [0, 1, 0]]> : tensor<2x3xi32>
// CHECK-NEXT: return
func.func @eyelike_type_of_input() -> tensor<2x3xi32> {
  %x0 = onnx.Constant dense<0> : tensor<2x3xi32>
  %r = onnx.EyeLike(%x0) <{since = 9}> : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// -----

// CHECK-LABEL: @eyelike_k_dtype
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @eyelike_k_dtype() -> tensor<2x3xf32> {
  %x0 = onnx.Constant dense<0> : tensor<2x3xi32>
  %r = onnx.EyeLike(%x0) <{since = 22}> {dtype = 1 : i64, k = 1 : i64} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @eyelike_negative_k_bool
// CHECK{LITERAL}: onnx.Constant dense<[[false, false, false], [true, false, false]]> : tensor<2x3xi1>
// CHECK-NEXT: return
func.func @eyelike_negative_k_bool() -> tensor<2x3xi1> {
  %x0 = onnx.Constant dense<0> : tensor<2x3xi32>
  %r = onnx.EyeLike(%x0) <{since = 9}> {dtype = 9 : i64, k = -1 : i64} : (tensor<2x3xi32>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}

// -----

// CHECK-LABEL: @eyelike_k_minimum
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<2x3xi32>
// CHECK-NEXT: return
func.func @eyelike_k_minimum() -> tensor<2x3xi32> {
  %x0 = onnx.Constant dense<0> : tensor<2x3xi32>
  %r = onnx.EyeLike(%x0) <{since = 9}> {k = -9223372036854775808 : i64} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
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
