// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.triu and numpy.tril.

// CHECK-LABEL: @trilu_nan_is_dropped
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [0.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @trilu_nan_is_dropped() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [0x7FC00000, 3.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.Trilu(%x) <{since = 14}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @trilu_string
// CHECK{LITERAL}: onnx.Constant dense<[["a", ""], ["c", "d"]]> : tensor<2x2x!onnx.string>
// CHECK-NEXT: return
func.func @trilu_string() -> tensor<2x2x!onnx.string> {
  %x = onnx.Constant dense<[["a", "b"], ["c", "d"]]> : tensor<2x2x!onnx.string>
  %r = onnx.Trilu(%x) <{since = 14}> {upper = 0 : i64} : (tensor<2x2x!onnx.string>) -> tensor<2x2x!onnx.string>
  return %r : tensor<2x2x!onnx.string>
}

// -----

// CHECK-LABEL: @trilu_empty
// CHECK: onnx.Constant dense<> : tensor<0x2x2xf32>
// CHECK-NEXT: return
func.func @trilu_empty() -> tensor<0x2x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2x2xf32>
  %r = onnx.Trilu(%x) <{since = 14}> : (tensor<0x2x2xf32>) -> tensor<0x2x2xf32>
  return %r : tensor<0x2x2xf32>
}

// -----

// CHECK-LABEL: @trilu_vector_stays
// CHECK: onnx.Trilu(
func.func @trilu_vector_stays() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Trilu not folded: input #0 has shape [3], expected a matrix or more}}
  %r = onnx.Trilu(%x) <{since = 14}> : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @trilu_two_k_stays
// CHECK: onnx.Trilu(
func.func @trilu_two_k_stays() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00, 9.000000e+00]]> : tensor<3x3xf32>
  %y = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Trilu not folded: input #1 has shape [2], expected one element}}
  %r = onnx.Trilu(%x, %y) <{since = 14}> : (tensor<3x3xf32>, tensor<2xi64>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
