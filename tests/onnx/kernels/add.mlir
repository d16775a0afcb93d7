// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Integers wrap as two's complement of their width.

// CHECK-LABEL: @add_f32_special
// CHECK: onnx.Constant dense<[4.000000e+00, -1.500000e+00, 0.000000e+00, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}, -0.000000e+00]> : tensor<6xf32>
// CHECK-NEXT: return
func.func @add_f32_special() -> tensor<6xf32> {
  %x = onnx.Constant dense<[1.000000e+00, -2.000000e+00, 0.000000e+00, 0x7FC00000, 0x7F800000, -0.000000e+00]> : tensor<6xf32>
  %y = onnx.Constant dense<[3.000000e+00, 5.000000e-01, -0.000000e+00, 1.000000e+00, 0xFF800000, -0.000000e+00]> : tensor<6xf32>
  %r = onnx.Add(%x, %y) <{since = 14}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// CHECK-LABEL: @add_f32_scalar
// CHECK: onnx.Constant dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @add_f32_scalar() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.Add(%x, %y) <{since = 7}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @add_f16_rounds_once
// CHECK: onnx.Constant dense<[3.9990{{[0-9]+}}e-01, 1.003000e+03]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @add_f16_rounds_once() -> tensor<2xf16> {
  %x = onnx.Constant dense<[9.997560e-02, 1.000000e+03]> : tensor<2xf16>
  %y = onnx.Constant dense<[3.000490e-01, 3.000000e+00]> : tensor<2xf16>
  %r = onnx.Add(%x, %y) <{since = 13}> : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @add_f64
// CHECK: onnx.Constant dense<0.3000000000000000{{[0-9]*}}> : tensor<1xf64>
// CHECK-NEXT: return
func.func @add_f64() -> tensor<1xf64> {
  %x = onnx.Constant dense<1.000000e-01> : tensor<1xf64>
  %y = onnx.Constant dense<2.000000e-01> : tensor<1xf64>
  %r = onnx.Add(%x, %y) <{since = 13}> : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  return %r : tensor<1xf64>
}

// -----

// CHECK-LABEL: @add_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @add_f32_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
  %r = onnx.Add(%x, %y) <{since = 14}> : (tensor<0x2xf32>, tensor<2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @add_f32_mismatch_stays
// CHECK: onnx.Add(
func.func @add_f32_mismatch_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Add not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Add(%x, %y) <{since = 14}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @add_i1_stays
// CHECK: onnx.Add(
func.func @add_i1_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[false, true]> : tensor<2xi1>
  %y = onnx.Constant dense<true> : tensor<2xi1>
  // expected-remark @+1 {{onnx.Add not folded: input #0 ('A') is tensor<2xi1>, expected one of}}
  %r = onnx.Add(%x, %y) <{since = 14}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @add_i8_wraps
// CHECK: onnx.Constant dense<[-128, 127, -56]> : tensor<3xi8>
// CHECK-NEXT: return
func.func @add_i8_wraps() -> tensor<3xi8> {
  %x = onnx.Constant dense<[127, -128, 100]> : tensor<3xi8>
  %y = onnx.Constant dense<[1, -1, 100]> : tensor<3xi8>
  %r = onnx.Add(%x, %y) <{since = 14}> : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  return %r : tensor<3xi8>
}

// -----

// Before version 7 the shape of the second input may be a part of the first's, from `axis` on.
// CHECK-LABEL: @add_f32_v6_axis
// CHECK: onnx.Constant dense<{{\[\[\[}}3.000000e+00, 4.000000e+00], [4.000000e+00, 5.000000e+00], [9.000000e+00, 1.000000e+01]], {{\[\[}}9.000000e+00, 1.000000e+01], [1.000000e+01, 1.100000e+01], [1.500000e+01, 1.600000e+01]]]> : tensor<2x3x2xf32>
// CHECK-NEXT: return
func.func @add_f32_v6_axis() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<3xf32>
  %r = onnx.Add(%x, %y) <{since = 6}> {axis = 1 : i64, broadcast = 1 : i64} : (tensor<2x3x2xf32>, tensor<3xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// CHECK-LABEL: @add_f32_v6_no_broadcast_stays
// CHECK: onnx.Add(
func.func @add_f32_v6_no_broadcast_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Add not folded: shapes [2, 3, 2] and [2] do not broadcast}}
  %r = onnx.Add(%x, %y) <{since = 6}> : (tensor<2x3x2xf32>, tensor<2xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// CHECK-LABEL: @add_f32_v6_axis_outside_stays
// CHECK: onnx.Add(
func.func @add_f32_v6_axis_outside_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Add not folded: shapes [2, 3, 2] and [3] do not broadcast}}
  %r = onnx.Add(%x, %y) <{since = 6}> {axis = 3 : i64, broadcast = 1 : i64} : (tensor<2x3x2xf32>, tensor<3xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// Partly known integers: b + b - b - b of an unknown batch b is 0, of the known dimension 3 it is 0 too.
// CHECK-LABEL: @add_i64_symbolic
// CHECK: onnx.Constant dense<0> : tensor<2xi64>
// CHECK-NEXT: return
func.func @add_i64_symbolic(%a: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %t = onnx.Add(%s, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %u = onnx.Sub(%t, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%u, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// Types that only evaluation knows are checked by the kernel.
// CHECK-LABEL: @add_f64_f32_stays
// CHECK: onnx.Add(
func.func @add_f64_f32_stays() -> tensor<2xf64> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Cast(%x) <{since = 1}> {to = "DOUBLE"} : (tensor<2xf32>) -> !onnx.unknown
  // expected-remark @+1 {{onnx.Add not folded: input #1 ('B') is tensor<2xf32>, expected tensor(double) as input #0}}
  %r = onnx.Add(%y, %x) <{since = 14}> : (!onnx.unknown, tensor<2xf32>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// A tensor of another type beside partly known integers was read as if it were one (crash).
// CHECK-LABEL: @add_i64_symbolic_f64_stays
// CHECK: onnx.Add(
func.func @add_i64_symbolic_f64_stays(%a: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %x = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = onnx.Cast(%x) <{since = 1}> {to = "DOUBLE"} : (tensor<2xf32>) -> !onnx.unknown
  // expected-remark @+1 {{onnx.Add not folded: input #1 ('B') is tensor<2xf64>, expected tensor(int64) as input #0}}
  %r = onnx.Add(%s, %y) <{since = 14}> : (tensor<2xi64>, !onnx.unknown) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// Partly known integers of a narrower type wrap, too: 200 + 100 is 44.
// CHECK-LABEL: @add_ui8_symbolic_wraps
// CHECK: onnx.Constant dense<[0, 44]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @add_ui8_symbolic_wraps(%a: tensor<?x200xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x200xf32>) -> tensor<2xi64>
  %n = onnx.Cast(%s) <{since = 13}> {to = 2 : i64} : (tensor<2xi64>) -> tensor<2xui8>
  %h = onnx.Constant dense<100> : tensor<ui8>
  %t = onnx.Add(%n, %h) <{since = 14}> : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  %w = onnx.Cast(%t) <{since = 13}> {to = 7 : i64} : (tensor<2xui8>) -> tensor<2xi64>
  %c = onnx.Constant dense<[false, true]> : tensor<2xi1>
  %z = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Where(%c, %w, %z) <{since = 16}> : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
