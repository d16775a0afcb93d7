// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.isinf, isposinf, isneginf. Of the float8 types e5m2 alone has infinities.

// CHECK-LABEL: @isinf_f32
// CHECK: onnx.Constant dense<[true, true, false, false, false]> : tensor<5xi1>
// CHECK-NEXT: return
func.func @isinf_f32() -> tensor<5xi1> {
  %x = onnx.Constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.000000000e+00, 3.402823466e+38]> : tensor<5xf32>
  %r = onnx.IsInf(%x) <{since = 20}> : (tensor<5xf32>) -> tensor<5xi1>
  return %r : tensor<5xi1>
}

// -----

// CHECK-LABEL: @isinf_f32_positive
// CHECK: onnx.Constant dense<[true, false, false, false, false]> : tensor<5xi1>
// CHECK-NEXT: return
func.func @isinf_f32_positive() -> tensor<5xi1> {
  %x = onnx.Constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.000000000e+00, 3.402823466e+38]> : tensor<5xf32>
  %r = onnx.IsInf(%x) <{since = 20}> {detect_negative = 0 : i64} : (tensor<5xf32>) -> tensor<5xi1>
  return %r : tensor<5xi1>
}

// -----

// CHECK-LABEL: @isinf_f32_negative
// CHECK: onnx.Constant dense<[false, true, false, false, false]> : tensor<5xi1>
// CHECK-NEXT: return
func.func @isinf_f32_negative() -> tensor<5xi1> {
  %x = onnx.Constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.000000000e+00, 3.402823466e+38]> : tensor<5xf32>
  %r = onnx.IsInf(%x) <{since = 20}> {detect_positive = 0 : i64} : (tensor<5xf32>) -> tensor<5xi1>
  return %r : tensor<5xi1>
}

// -----

// CHECK-LABEL: @isinf_f32_none
// CHECK: onnx.Constant dense<false> : tensor<5xi1>
// CHECK-NEXT: return
func.func @isinf_f32_none() -> tensor<5xi1> {
  %x = onnx.Constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.000000000e+00, 3.402823466e+38]> : tensor<5xf32>
  %r = onnx.IsInf(%x) <{since = 20}> {detect_negative = 0 : i64, detect_positive = 0 : i64} : (tensor<5xf32>) -> tensor<5xi1>
  return %r : tensor<5xi1>
}

// -----

// CHECK-LABEL: @isinf_f64_v10
// CHECK: onnx.Constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return
func.func @isinf_f64_v10() -> tensor<2xi1> {
  %x = onnx.Constant dense<[0x7FF0000000000000, 1.00000000000000005e+300]> : tensor<2xf64>
  %r = onnx.IsInf(%x) <{since = 10}> : (tensor<2xf64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @isinf_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0xi1>
// CHECK-NEXT: return
func.func @isinf_f32_empty() -> tensor<0xi1> {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %r = onnx.IsInf(%x) <{since = 20}> : (tensor<0xf32>) -> tensor<0xi1>
  return %r : tensor<0xi1>
}

// -----

// CHECK-LABEL: @isinf_i32_stays
// CHECK: onnx.IsInf(
func.func @isinf_i32_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.IsInf not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.IsInf(%x) <{since = 20}> : (tensor<2xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
