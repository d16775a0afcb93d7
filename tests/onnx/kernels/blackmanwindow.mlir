// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the sum of cosines in numpy's long double, rounded once.

// CHECK-LABEL: @blackmanwindow_f32
// CHECK: onnx.Constant dense<[0.000000e+00, 0.06644660{{[0-9e-]*}}, 3.400000e-01, 0.7735533{{[0-9e-]*}}, 1.000000e+00, 0.7735533{{[0-9e-]*}}, 3.400000e-01, 0.06644660{{[0-9e-]*}}]> : tensor<8xf32>
// CHECK-NEXT: return
func.func @blackmanwindow_f32() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<8> : tensor<i64>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @blackmanwindow_symmetric
// CHECK: onnx.Constant dense<[0.000000e+00, 0.06644660{{[0-9e-]*}}, 3.400000e-01, 0.7735533{{[0-9e-]*}}, 1.000000e+00, 0.7735533{{[0-9e-]*}}, 3.400000e-01, 0.06644660{{[0-9e-]*}}, 0.000000e+00]> : tensor<9xf32>
// CHECK-NEXT: return
func.func @blackmanwindow_symmetric() -> tensor<9xf32> {
  %x0 = onnx.Constant dense<9> : tensor<i32>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> {periodic = 0 : i64} : (tensor<i32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// CHECK-LABEL: @blackmanwindow_odd
// CHECK: onnx.Constant dense<[0.000000e+00, 0.200770{{[0-9e-]*}}, 0.8492298{{[0-9e-]*}}, 0.8492298{{[0-9e-]*}}, 0.200770{{[0-9e-]*}}]> : tensor<5xf32>
// CHECK-NEXT: return
func.func @blackmanwindow_odd() -> tensor<5xf32> {
  %x0 = onnx.Constant dense<5> : tensor<i32>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> : (tensor<i32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// CHECK-LABEL: @blackmanwindow_f64
// CHECK{LITERAL}: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf64>
// CHECK-NEXT: return
func.func @blackmanwindow_f64() -> tensor<2xf64> {
  %x0 = onnx.Constant dense<2> : tensor<i32>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> {output_datatype = 11 : i64} : (tensor<i32>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// CHECK-LABEL: @blackmanwindow_f16
// CHECK: onnx.Constant dense<[0.000000e+00, 3.40{{[0-9e-]*}}, 1.000000e+00, 3.40{{[0-9e-]*}}]> : tensor<4xf16>
// CHECK-NEXT: return
func.func @blackmanwindow_f16() -> tensor<4xf16> {
  %x0 = onnx.Constant dense<4> : tensor<i64>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> {output_datatype = 10 : i64} : (tensor<i64>) -> tensor<4xf16>
  return %r : tensor<4xf16>
}

// -----

// CHECK-LABEL: @blackmanwindow_bf16
// CHECK: onnx.Constant dense<[0.000000e+00, 3.39{{[0-9e-]*}}, 1.000000e+00, 3.39{{[0-9e-]*}}]> : tensor<4xbf16>
// CHECK-NEXT: return
func.func @blackmanwindow_bf16() -> tensor<4xbf16> {
  %x0 = onnx.Constant dense<4> : tensor<i64>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> {output_datatype = 16 : i64} : (tensor<i64>) -> tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// -----

// CHECK-LABEL: @blackmanwindow_i8_cuts_off
// CHECK{LITERAL}: onnx.Constant dense<[0, 0, 0, 1, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: return
func.func @blackmanwindow_i8_cuts_off() -> tensor<6xi8> {
  %x0 = onnx.Constant dense<6> : tensor<i64>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> {output_datatype = 3 : i64} : (tensor<i64>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}

// -----

// CHECK-LABEL: @blackmanwindow_one
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return
func.func @blackmanwindow_one() -> tensor<1xf32> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The angle is 0 / 0, in the body too.
// CHECK-LABEL: @blackmanwindow_symmetric_one_is_nan
// CHECK{LITERAL}: onnx.Constant dense<0x7FC00000> : tensor<1xf32>
// CHECK-NEXT: return
func.func @blackmanwindow_symmetric_one_is_nan() -> tensor<1xf32> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> {periodic = 0 : i64} : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @blackmanwindow_symmetric_one_i32_stays
// CHECK: onnx.BlackmanWindow(
func.func @blackmanwindow_symmetric_one_i32_stays() -> tensor<1xi32> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.BlackmanWindow not folded: a symmetric window of one element is 0 / 0}}
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> {periodic = 0 : i64, output_datatype = 6 : i64} : (tensor<i64>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// CHECK-LABEL: @blackmanwindow_string_stays
// CHECK: onnx.BlackmanWindow(
func.func @blackmanwindow_string_stays() -> tensor<4x!onnx.string> {
  %x0 = onnx.Constant dense<4> : tensor<i64>
  // expected-remark @+1 {{onnx.BlackmanWindow not folded: attribute 'output_datatype' is 8, expected the number of a numeric type}}
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> {output_datatype = 8 : i64} : (tensor<i64>) -> tensor<4x!onnx.string>
  return %r : tensor<4x!onnx.string>
}

// -----

// CHECK-LABEL: @blackmanwindow_large_stays
// CHECK: onnx.BlackmanWindow(
func.func @blackmanwindow_large_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<2305843009213693952> : tensor<i64>
  // expected-remark @+1 {{onnx.BlackmanWindow not folded: the result has shape [2305843009213693952], more than 1073741824 bytes}}
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @blackmanwindow_empty_stays
// CHECK: onnx.BlackmanWindow(
func.func @blackmanwindow_empty_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.BlackmanWindow not folded: the size is 0, expected more than 0}}
  %r = onnx.BlackmanWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
