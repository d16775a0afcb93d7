// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the sum of cosines in numpy's long double, rounded once.

// CHECK-LABEL: @hammingwindow_i8_cuts_off
// CHECK{LITERAL}: onnx.Constant dense<[0, 0, 0, 1, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: return
func.func @hammingwindow_i8_cuts_off() -> tensor<6xi8> {
  %x0 = onnx.Constant dense<6> : tensor<i64>
  %r = onnx.HammingWindow(%x0) <{since = 17}> {output_datatype = 3 : i64} : (tensor<i64>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}

// -----

// The angle is 0 / 0, in the body too.
// CHECK-LABEL: @hammingwindow_symmetric_one_is_nan
// CHECK{LITERAL}: onnx.Constant dense<0x7FC00000> : tensor<1xf32>
// CHECK-NEXT: return
func.func @hammingwindow_symmetric_one_is_nan() -> tensor<1xf32> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.HammingWindow(%x0) <{since = 17}> {periodic = 0 : i64} : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @hammingwindow_symmetric_one_i32_stays
// CHECK: onnx.HammingWindow(
func.func @hammingwindow_symmetric_one_i32_stays() -> tensor<1xi32> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.HammingWindow not folded: a symmetric window of one element is 0 / 0}}
  %r = onnx.HammingWindow(%x0) <{since = 17}> {periodic = 0 : i64, output_datatype = 6 : i64} : (tensor<i64>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// CHECK-LABEL: @hammingwindow_string_stays
// CHECK: onnx.HammingWindow(
func.func @hammingwindow_string_stays() -> tensor<4x!onnx.string> {
  %x0 = onnx.Constant dense<4> : tensor<i64>
  // expected-remark @+1 {{onnx.HammingWindow not folded: attribute 'output_datatype' is 8, expected the number of a numeric type}}
  %r = onnx.HammingWindow(%x0) <{since = 17}> {output_datatype = 8 : i64} : (tensor<i64>) -> tensor<4x!onnx.string>
  return %r : tensor<4x!onnx.string>
}

// -----

// CHECK-LABEL: @hammingwindow_large_stays
// CHECK: onnx.HammingWindow(
func.func @hammingwindow_large_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<2305843009213693952> : tensor<i64>
  // expected-remark @+1 {{onnx.HammingWindow not folded: the result has shape [2305843009213693952], more than 1073741824 bytes}}
  %r = onnx.HammingWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @hammingwindow_empty_stays
// CHECK: onnx.HammingWindow(
func.func @hammingwindow_empty_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.HammingWindow not folded: the size is 0, expected more than 0}}
  %r = onnx.HammingWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Inference took -1 for a type, whose elements have no bytes: a division by 0.
// CHECK-LABEL: @hammingwindow_no_type_stays
// CHECK: onnx.HammingWindow(
func.func @hammingwindow_no_type_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<4> : tensor<i64>
  // expected-remark @+1 {{onnx.HammingWindow not folded: attribute 'output_datatype' is -1, expected the number of a numeric type}}
  %r = onnx.HammingWindow(%x0) <{since = 17}> {output_datatype = -1 : i64} : (tensor<i64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
