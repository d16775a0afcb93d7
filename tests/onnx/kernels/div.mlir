// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Integers wrap as two's complement of their width.

// CHECK-LABEL: @div_f32_special
// CHECK: onnx.Constant dense<[0.33333334{{[0-9]*}}, -4.000000e+00, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}]> : tensor<6xf32>
// CHECK-NEXT: return
func.func @div_f32_special() -> tensor<6xf32> {
  %x = onnx.Constant dense<[1.000000e+00, -2.000000e+00, 0.000000e+00, 0x7FC00000, 0x7F800000, -0.000000e+00]> : tensor<6xf32>
  %y = onnx.Constant dense<[3.000000e+00, 5.000000e-01, -0.000000e+00, 1.000000e+00, 0xFF800000, -0.000000e+00]> : tensor<6xf32>
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// CHECK-LABEL: @div_f32_scalar
// CHECK: onnx.Constant dense<[2.500000e-01, 5.000000e-01]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @div_f32_scalar() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.Div(%x, %y) <{since = 7}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @div_f16_rounds_once
// CHECK: onnx.Constant dense<[3.3325{{[0-9]+}}e-01, 3.332500e+02]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @div_f16_rounds_once() -> tensor<2xf16> {
  %x = onnx.Constant dense<[9.997560e-02, 1.000000e+03]> : tensor<2xf16>
  %y = onnx.Constant dense<[3.000490e-01, 3.000000e+00]> : tensor<2xf16>
  %r = onnx.Div(%x, %y) <{since = 13}> : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @div_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @div_f32_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<0x2xf32>, tensor<2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @div_f32_mismatch_stays
// CHECK: onnx.Div(
func.func @div_f32_mismatch_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Div not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @div_i1_stays
// CHECK: onnx.Div(
func.func @div_i1_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[false, true]> : tensor<2xi1>
  %y = onnx.Constant dense<true> : tensor<2xi1>
  // expected-remark @+1 {{onnx.Div not folded: input #0 ('A') is tensor<2xi1>, expected one of}}
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// Towards zero, not down.
// CHECK-LABEL: @div_i32_truncates
// CHECK: onnx.Constant dense<[3, -3, -3, 3]> : tensor<4xi32>
// CHECK-NEXT: return
func.func @div_i32_truncates() -> tensor<4xi32> {
  %x = onnx.Constant dense<[7, -7, 7, -7]> : tensor<4xi32>
  %y = onnx.Constant dense<[2, 2, -2, -2]> : tensor<4xi32>
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

// CHECK-LABEL: @div_ui64_beyond_signed
// CHECK: onnx.Constant dense<[9223372036854775807, 3074457345618258602]> : tensor<2xui64>
// CHECK-NEXT: return
func.func @div_ui64_beyond_signed() -> tensor<2xui64> {
  %x = onnx.Constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %y = onnx.Constant dense<[2, 3]> : tensor<2xui64>
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  return %r : tensor<2xui64>
}

// -----

// CHECK-LABEL: @div_i32_by_zero_stays
// CHECK: onnx.Div(
func.func @div_i32_by_zero_stays() -> tensor<2x2xi32> {
  %x = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = onnx.Constant dense<[[1, 1], [1, 0]]> : tensor<2x2xi32>
  // expected-remark @+1 {{onnx.Div not folded: divisor element [1, 1] is 0 and the type is i32}}
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: @div_ui8_by_zero_splat_stays
// CHECK: onnx.Div(
func.func @div_ui8_by_zero_splat_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xui8>
  %y = onnx.Constant dense<0> : tensor<ui8>
  // expected-remark @+1 {{onnx.Div not folded: divisor element [0] is 0 and the type is u8}}
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @div_i8_smallest_by_minus_one_stays
// CHECK: onnx.Div(
func.func @div_i8_smallest_by_minus_one_stays() -> tensor<2xi8> {
  %x = onnx.Constant dense<[5, -128]> : tensor<2xi8>
  %y = onnx.Constant dense<-1> : tensor<2xi8>
  // expected-remark @+1 {{onnx.Div not folded: element [1] is the smallest i8 divided by -1}}
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// CHECK-LABEL: @div_i64_smallest_by_minus_one_stays
// CHECK: onnx.Div(
func.func @div_i64_smallest_by_minus_one_stays() -> tensor<2xi64> {
  %x = onnx.Constant dense<[-9223372036854775808, 1]> : tensor<2xi64>
  %y = onnx.Constant dense<-1> : tensor<i64>
  // expected-remark @+1 {{onnx.Div not folded: element [0] is the smallest i64 divided by -1}}
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// Nothing is divided.
// CHECK-LABEL: @div_i32_empty_by_zero
// CHECK: onnx.Constant dense<> : tensor<0xi32>
// CHECK-NEXT: return
func.func @div_i32_empty_by_zero() -> tensor<0xi32> {
  %x = onnx.Constant dense<> : tensor<0xi32>
  %y = onnx.Constant dense<0> : tensor<i32>
  %r = onnx.Div(%x, %y) <{since = 14}> : (tensor<0xi32>, tensor<i32>) -> tensor<0xi32>
  return %r : tensor<0xi32>
}

// -----

// Before version 7 the shape of the second input may be a part of the first's, from `axis` on.
// CHECK-LABEL: @div_f32_v6_axis
// CHECK: onnx.Constant dense<{{\[\[\[}}5.000000e-01, 1.000000e+00], [3.000000e+00, 4.000000e+00], [1.250000e+00, 1.500000e+00]], {{\[\[}}3.500000e+00, 4.000000e+00], [9.000000e+00, 1.000000e+01], [2.750000e+00, 3.000000e+00]]]> : tensor<2x3x2xf32>
// CHECK-NEXT: return
func.func @div_f32_v6_axis() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<3xf32>
  %r = onnx.Div(%x, %y) <{since = 6}> {axis = 1 : i64, broadcast = 1 : i64} : (tensor<2x3x2xf32>, tensor<3xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// CHECK-LABEL: @div_f32_v6_no_broadcast_stays
// CHECK: onnx.Div(
func.func @div_f32_v6_no_broadcast_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Div not folded: shapes [2, 3, 2] and [2] do not broadcast}}
  %r = onnx.Div(%x, %y) <{since = 6}> : (tensor<2x3x2xf32>, tensor<2xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// CHECK-LABEL: @div_f32_v6_axis_outside_stays
// CHECK: onnx.Div(
func.func @div_f32_v6_axis_outside_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Div not folded: shapes [2, 3, 2] and [3] do not broadcast}}
  %r = onnx.Div(%x, %y) <{since = 6}> {axis = 3 : i64, broadcast = 1 : i64} : (tensor<2x3x2xf32>, tensor<3xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// Partly known integers: 12 * b / 4 is 3 * b for every b, and 12 * 3 / 4 is 9.
// CHECK-LABEL: @div_i64_symbolic
// CHECK: onnx.Constant dense<0> : tensor<2xi64>
// CHECK-NEXT: return
func.func @div_i64_symbolic(%a: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<12> : tensor<2xi64>
  %d = onnx.Constant dense<4> : tensor<i64>
  %e = onnx.Constant dense<3> : tensor<i64>
  %t = onnx.Mul(%s, %c) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %u = onnx.Div(%t, %d) <{since = 14}> : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %v = onnx.Mul(%s, %e) <{since = 14}> : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %r = onnx.Sub(%u, %v) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// Partly known integers of a narrower type: 128 becomes -128 in i8, whose quotient by -1 is undefined.
// CHECK-LABEL: @div_i8_symbolic_smallest_by_minus_one_stays
// CHECK: onnx.Div(
func.func @div_i8_symbolic_smallest_by_minus_one_stays(%a: tensor<?x128xf32>) -> tensor<2xi8> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x128xf32>) -> tensor<2xi64>
  %n = onnx.Cast(%s) <{since = 13}> {to = 3 : i64} : (tensor<2xi64>) -> tensor<2xi8>
  %m = onnx.Constant dense<-1> : tensor<i8>
  // expected-remark @+1 {{onnx.Div not folded: a divisor is 0, or the quotient does not fit}}
  %r = onnx.Div(%n, %m) <{since = 14}> : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// (8 d + 5, 29) / 8, without d.
// CHECK-LABEL: @div_i64_symbolic_rest
// CHECK: %[[R:.*]] = onnx.Constant dense<0> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @div_i64_symbolic_rest(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<8> : tensor<2xi64>
  %e = onnx.Constant dense<5> : tensor<2xi64>
  %a = onnx.Mul(%s, %c) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %b = onnx.Add(%a, %e) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %m = onnx.Div(%b, %c) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%m, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
