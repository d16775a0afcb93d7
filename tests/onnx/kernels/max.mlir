// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. NaN in any input gives NaN, whatever the order (onnx-mlir's result depended on it, B11).

// CHECK-LABEL: @max_f32_nan
// CHECK: onnx.Constant dense<[2.000000e+00, 0x7FC00000, 0x7FC00000, -0.000000e+00, 3.000000e+00]> : tensor<5xf32>
// CHECK-NEXT: return
func.func @max_f32_nan() -> tensor<5xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000, 0xFF800000, 0.000000e+00, 3.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 0x7FC00000, -0.000000e+00, -3.000000e+00]> : tensor<5xf32>
  %r = onnx.Max(%x, %y) <{since = 13}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// CHECK-LABEL: @max_f32_nan_other_order
// CHECK: onnx.Constant dense<[2.000000e+00, 0x7FC00000, 0x7FC00000, 0.000000e+00, 3.000000e+00]> : tensor<5xf32>
// CHECK-NEXT: return
func.func @max_f32_nan_other_order() -> tensor<5xf32> {
  %x = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 0x7FC00000, -0.000000e+00, -3.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<[1.000000e+00, 0x7FC00000, 0xFF800000, 0.000000e+00, 3.000000e+00]> : tensor<5xf32>
  %r = onnx.Max(%x, %y) <{since = 13}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// CHECK-LABEL: @max_f32_one_input
// CHECK: onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @max_f32_one_input() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.Max(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @max_i8
// CHECK: onnx.Constant dense<[127, 5]> : tensor<2xi8>
// CHECK-NEXT: return
func.func @max_i8() -> tensor<2xi8> {
  %x = onnx.Constant dense<[-128, 5]> : tensor<2xi8>
  %y = onnx.Constant dense<[127, -5]> : tensor<2xi8>
  %r = onnx.Max(%x, %y) <{since = 12}> : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// CHECK-LABEL: @max_ui64_beyond_signed
// CHECK: onnx.Constant dense<[9223372036854775808, 2]> : tensor<2xui64>
// CHECK-NEXT: return
func.func @max_ui64_beyond_signed() -> tensor<2xui64> {
  %x = onnx.Constant dense<[9223372036854775808, 1]> : tensor<2xui64>
  %y = onnx.Constant dense<[1, 2]> : tensor<2xui64>
  %r = onnx.Max(%x, %y) <{since = 13}> : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  return %r : tensor<2xui64>
}

// -----

// CHECK-LABEL: @max_bf16
// CHECK: onnx.Constant dense<[2.000000e+00, 0x7FC0]> : tensor<2xbf16>
// CHECK-NEXT: return
func.func @max_bf16() -> tensor<2xbf16> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC0]> : tensor<2xbf16>
  %y = onnx.Constant dense<2.000000e+00> : tensor<2xbf16>
  %r = onnx.Max(%x, %y) <{since = 13}> : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

// CHECK-LABEL: @max_f16_v6
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<2xf16>
// CHECK-NEXT: return
func.func @max_f16_v6() -> tensor<2xf16> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf16>
  %r = onnx.Max(%x, %y) <{since = 6}> : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @max_f32_v6_broadcast_stays
// CHECK: onnx.Max(
func.func @max_f32_v6_broadcast_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<4.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Max not folded: input #1 has shape [], expected [2] as input #0}}
  %r = onnx.Max(%x, %y) <{since = 6}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @max_f32_mismatch_stays
// CHECK: onnx.Max(
func.func @max_f32_mismatch_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %z = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Max not folded: shapes [2] and [2] and [3] do not broadcast}}
  %r = onnx.Max(%x, %y, %z) <{since = 13}> : (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// The larger one of a dimension and -4 is the dimension.
// CHECK-LABEL: @max_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<[0, 4]> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @max_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[-4, 7]> : tensor<2xi64>
  %m = onnx.Max(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%m, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// It may be 0 or 1.
// CHECK-LABEL: @max_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Max(
// CHECK: return %[[R]]
func.func @max_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<1> : tensor<2xi64>
  %r = onnx.Max(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
