// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the sum of cosines in numpy's long double, rounded once.

// CHECK-LABEL: @hannwindow_f32
// CHECK: onnx.Constant dense<[0.000000e+00, 0.1464466{{[0-9e-]*}}, 5.000000e-01, 0.8535534{{[0-9e-]*}}, 1.000000e+00, 0.8535534{{[0-9e-]*}}, 5.000000e-01, 0.1464466{{[0-9e-]*}}]> : tensor<8xf32>
// CHECK-NEXT: return
func.func @hannwindow_f32() -> tensor<8xf32> {
  %x0 = onnx.Constant dense<8> : tensor<i64>
  %r = onnx.HannWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @hannwindow_symmetric
// CHECK: onnx.Constant dense<[0.000000e+00, 0.1464466{{[0-9e-]*}}, 5.000000e-01, 0.8535534{{[0-9e-]*}}, 1.000000e+00, 0.8535534{{[0-9e-]*}}, 5.000000e-01, 0.1464466{{[0-9e-]*}}, 0.000000e+00]> : tensor<9xf32>
// CHECK-NEXT: return
func.func @hannwindow_symmetric() -> tensor<9xf32> {
  %x0 = onnx.Constant dense<9> : tensor<i32>
  %r = onnx.HannWindow(%x0) <{since = 17}> {periodic = 0 : i64} : (tensor<i32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// CHECK-LABEL: @hannwindow_odd
// CHECK: onnx.Constant dense<[0.000000e+00, 0.3454914{{[0-9e-]*}}, 0.9045084{{[0-9e-]*}}, 0.9045084{{[0-9e-]*}}, 0.3454914{{[0-9e-]*}}]> : tensor<5xf32>
// CHECK-NEXT: return
func.func @hannwindow_odd() -> tensor<5xf32> {
  %x0 = onnx.Constant dense<5> : tensor<i32>
  %r = onnx.HannWindow(%x0) <{since = 17}> : (tensor<i32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// CHECK-LABEL: @hannwindow_f64
// CHECK{LITERAL}: onnx.Constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 5.000000e-01]> : tensor<4xf64>
// CHECK-NEXT: return
func.func @hannwindow_f64() -> tensor<4xf64> {
  %x0 = onnx.Constant dense<4> : tensor<i32>
  %r = onnx.HannWindow(%x0) <{since = 17}> {output_datatype = 11 : i64} : (tensor<i32>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// -----

// CHECK-LABEL: @hannwindow_f16
// CHECK{LITERAL}: onnx.Constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 5.000000e-01]> : tensor<4xf16>
// CHECK-NEXT: return
func.func @hannwindow_f16() -> tensor<4xf16> {
  %x0 = onnx.Constant dense<4> : tensor<i64>
  %r = onnx.HannWindow(%x0) <{since = 17}> {output_datatype = 10 : i64} : (tensor<i64>) -> tensor<4xf16>
  return %r : tensor<4xf16>
}

// -----

// CHECK-LABEL: @hannwindow_bf16
// CHECK{LITERAL}: onnx.Constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 5.000000e-01]> : tensor<4xbf16>
// CHECK-NEXT: return
func.func @hannwindow_bf16() -> tensor<4xbf16> {
  %x0 = onnx.Constant dense<4> : tensor<i64>
  %r = onnx.HannWindow(%x0) <{since = 17}> {output_datatype = 16 : i64} : (tensor<i64>) -> tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// -----

// CHECK-LABEL: @hannwindow_i8_cuts_off
// CHECK{LITERAL}: onnx.Constant dense<[0, 0, 0, 1, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: return
func.func @hannwindow_i8_cuts_off() -> tensor<6xi8> {
  %x0 = onnx.Constant dense<6> : tensor<i64>
  %r = onnx.HannWindow(%x0) <{since = 17}> {output_datatype = 3 : i64} : (tensor<i64>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}

// -----

// CHECK-LABEL: @hannwindow_one
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return
func.func @hannwindow_one() -> tensor<1xf32> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.HannWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The angle is 0 / 0, in the body too.
// CHECK-LABEL: @hannwindow_symmetric_one_is_nan
// CHECK{LITERAL}: onnx.Constant dense<0x7FC00000> : tensor<1xf32>
// CHECK-NEXT: return
func.func @hannwindow_symmetric_one_is_nan() -> tensor<1xf32> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.HannWindow(%x0) <{since = 17}> {periodic = 0 : i64} : (tensor<i64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @hannwindow_symmetric_one_i32_stays
// CHECK: onnx.HannWindow(
func.func @hannwindow_symmetric_one_i32_stays() -> tensor<1xi32> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.HannWindow not folded: a symmetric window of one element is 0 / 0}}
  %r = onnx.HannWindow(%x0) <{since = 17}> {periodic = 0 : i64, output_datatype = 6 : i64} : (tensor<i64>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// CHECK-LABEL: @hannwindow_string_stays
// CHECK: onnx.HannWindow(
func.func @hannwindow_string_stays() -> tensor<4x!onnx.string> {
  %x0 = onnx.Constant dense<4> : tensor<i64>
  // expected-remark @+1 {{onnx.HannWindow not folded: attribute 'output_datatype' is 8, expected the number of a numeric type}}
  %r = onnx.HannWindow(%x0) <{since = 17}> {output_datatype = 8 : i64} : (tensor<i64>) -> tensor<4x!onnx.string>
  return %r : tensor<4x!onnx.string>
}

// -----

// CHECK-LABEL: @hannwindow_large_stays
// CHECK: onnx.HannWindow(
func.func @hannwindow_large_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<2305843009213693952> : tensor<i64>
  // expected-remark @+1 {{onnx.HannWindow not folded: the result has shape [2305843009213693952], more than 1073741824 bytes}}
  %r = onnx.HannWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @hannwindow_empty_stays
// CHECK: onnx.HannWindow(
func.func @hannwindow_empty_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.HannWindow not folded: the size is 0, expected more than 0}}
  %r = onnx.HannWindow(%x0) <{since = 17}> : (tensor<i64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
