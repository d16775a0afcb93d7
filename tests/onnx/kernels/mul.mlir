// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Integers wrap as two's complement of their width.

// CHECK-LABEL: @mul_f32_special
// CHECK: onnx.Constant dense<[3.000000e+00, -1.000000e+00, -0.000000e+00, {{0x[7F][0-9A-F]+}}, 0xFF800000, 0.000000e+00]> : tensor<6xf32>
// CHECK-NEXT: return
func.func @mul_f32_special() -> tensor<6xf32> {
  %x = onnx.Constant dense<[1.000000e+00, -2.000000e+00, 0.000000e+00, 0x7FC00000, 0x7F800000, -0.000000e+00]> : tensor<6xf32>
  %y = onnx.Constant dense<[3.000000e+00, 5.000000e-01, -0.000000e+00, 1.000000e+00, 0xFF800000, -0.000000e+00]> : tensor<6xf32>
  %r = onnx.Mul(%x, %y) <{since = 14}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// CHECK-LABEL: @mul_f32_scalar
// CHECK: onnx.Constant dense<[4.000000e+00, 8.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @mul_f32_scalar() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.Mul(%x, %y) <{since = 7}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @mul_f16_rounds_once
// CHECK: onnx.Constant dense<[2.9998{{[0-9]+}}e-02, 3.000000e+03]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @mul_f16_rounds_once() -> tensor<2xf16> {
  %x = onnx.Constant dense<[9.997560e-02, 1.000000e+03]> : tensor<2xf16>
  %y = onnx.Constant dense<[3.000490e-01, 3.000000e+00]> : tensor<2xf16>
  %r = onnx.Mul(%x, %y) <{since = 13}> : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @mul_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @mul_f32_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
  %r = onnx.Mul(%x, %y) <{since = 14}> : (tensor<0x2xf32>, tensor<2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @mul_f32_mismatch_stays
// CHECK: onnx.Mul(
func.func @mul_f32_mismatch_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Mul not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Mul(%x, %y) <{since = 14}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @mul_i1_stays
// CHECK: onnx.Mul(
func.func @mul_i1_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[false, true]> : tensor<2xi1>
  %y = onnx.Constant dense<true> : tensor<2xi1>
  // expected-remark @+1 {{onnx.Mul not folded: input #0 ('A') is tensor<2xi1>, expected one of}}
  %r = onnx.Mul(%x, %y) <{since = 14}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @mul_i8_wraps
// CHECK: onnx.Constant dense<[127, -128, 16]> : tensor<3xi8>
// CHECK-NEXT: return
func.func @mul_i8_wraps() -> tensor<3xi8> {
  %x = onnx.Constant dense<[127, -128, 100]> : tensor<3xi8>
  %y = onnx.Constant dense<[1, -1, 100]> : tensor<3xi8>
  %r = onnx.Mul(%x, %y) <{since = 14}> : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  return %r : tensor<3xi8>
}

// -----

// Before version 7 the shape of the second input may be a part of the first's, from `axis` on.
// CHECK-LABEL: @mul_f32_v6_axis
// CHECK: onnx.Constant dense<{{\[\[\[}}2.000000e+00, 4.000000e+00], [3.000000e+00, 4.000000e+00], [2.000000e+01, 2.400000e+01]], {{\[\[}}1.400000e+01, 1.600000e+01], [9.000000e+00, 1.000000e+01], [4.400000e+01, 4.800000e+01]]]> : tensor<2x3x2xf32>
// CHECK-NEXT: return
func.func @mul_f32_v6_axis() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<3xf32>
  %r = onnx.Mul(%x, %y) <{since = 6}> {axis = 1 : i64, broadcast = 1 : i64} : (tensor<2x3x2xf32>, tensor<3xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// CHECK-LABEL: @mul_f32_v6_no_broadcast_stays
// CHECK: onnx.Mul(
func.func @mul_f32_v6_no_broadcast_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Mul not folded: shapes [2, 3, 2] and [2] do not broadcast}}
  %r = onnx.Mul(%x, %y) <{since = 6}> : (tensor<2x3x2xf32>, tensor<2xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// CHECK-LABEL: @mul_f32_v6_axis_outside_stays
// CHECK: onnx.Mul(
func.func @mul_f32_v6_axis_outside_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Mul not folded: shapes [2, 3, 2] and [3] do not broadcast}}
  %r = onnx.Mul(%x, %y) <{since = 6}> {axis = 3 : i64, broadcast = 1 : i64} : (tensor<2x3x2xf32>, tensor<3xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// Partly known integers: 5 * b - 5 * b of an unknown batch b is 0.
// CHECK-LABEL: @mul_i64_symbolic
// CHECK: onnx.Constant dense<0> : tensor<2xi64>
// CHECK-NEXT: return
func.func @mul_i64_symbolic(%a: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<5> : tensor<i64>
  %t = onnx.Mul(%s, %c) <{since = 14}> : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %u = onnx.Mul(%c, %s) <{since = 14}> : (tensor<i64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%t, %u) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
