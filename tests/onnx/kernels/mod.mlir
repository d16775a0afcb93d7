// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. onnx-mlir floored float remainders to nine decimals (B8) and died of integer division by zero
// (B9).

// CHECK-LABEL: @mod_i8_both_broadcast
// CHECK: onnx.Constant dense<{{\[\[}}1, -3], [1, -3]]> : tensor<2x2xi8>
// CHECK-NEXT: return
func.func @mod_i8_both_broadcast() -> tensor<2x2xi8> {
  %x = onnx.Constant dense<[[-128], [127]]> : tensor<2x1xi8>
  %y = onnx.Constant dense<[3, -5]> : tensor<2xi8>
  %r = onnx.Mod(%x, %y) <{since = 10}> : (tensor<2x1xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}

// -----

// CHECK-LABEL: @mod_ui64_beyond_signed
// CHECK: onnx.Constant dense<[5, 1]> : tensor<2xui64>
// CHECK-NEXT: return
func.func @mod_ui64_beyond_signed() -> tensor<2xui64> {
  %x = onnx.Constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %y = onnx.Constant dense<[10, 9223372036854775807]> : tensor<2xui64>
  %r = onnx.Mod(%x, %y) <{since = 13}> : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  return %r : tensor<2xui64>
}

// -----

// CHECK-LABEL: @mod_i64_beyond_double
// CHECK: onnx.Constant dense<1> : tensor<2xi64>
// CHECK-NEXT: return
func.func @mod_i64_beyond_double() -> tensor<2xi64> {
  %x = onnx.Constant dense<[9007199254740993, -9007199254740993]> : tensor<2xi64>
  %y = onnx.Constant dense<2> : tensor<i64>
  %r = onnx.Mod(%x, %y) <{since = 13}> : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @mod_f32_fmod_special
// CHECK: onnx.Constant dense<[1.3000001{{[0-9]*}}, -1.3000001{{[0-9]*}}, 1.3000001{{[0-9]*}}, -1.3000001{{[0-9]*}}, -0.000000e+00, 0.000000e+00, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}, 1.000000e+00, -1.000000e+00, {{0x[7F][0-9A-F]+}}]> : tensor<11xf32>
// CHECK-NEXT: return
func.func @mod_f32_fmod_special() -> tensor<11xf32> {
  %x = onnx.Constant dense<[5.300000e+00, -5.300000e+00, 5.300000e+00, -5.300000e+00, -0.000000e+00, 0.000000e+00, 0x7F800000, 1.000000e+00, 1.000000e+00, -1.000000e+00, 0x7FC00000]> : tensor<11xf32>
  %y = onnx.Constant dense<[2.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -3.000000e+00, 2.000000e+00, 0.000000e+00, 0x7F800000, 0x7F800000, 1.000000e+00]> : tensor<11xf32>
  %r = onnx.Mod(%x, %y) <{since = 13}> {fmod = 1 : i64} : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xf32>
  return %r : tensor<11xf32>
}

// -----

// CHECK-LABEL: @mod_f64_fmod_small_and_large
// CHECK: onnx.Constant dense<[1.000000e-10, -1.000000e-10, 3.000000e+299]> : tensor<3xf64>
// CHECK-NEXT: return
func.func @mod_f64_fmod_small_and_large() -> tensor<3xf64> {
  %x = onnx.Constant dense<[1.000000e-10, -1.000000e-10, 1.000000e+300]> : tensor<3xf64>
  %y = onnx.Constant dense<[1.000000e+00, 1.000000e+00, 7.000000e+299]> : tensor<3xf64>
  %r = onnx.Mod(%x, %y) <{since = 13}> {fmod = 1 : i64} : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %r : tensor<3xf64>
}

// -----

// Floored since version 28; of zero the sign of the divisor.
// CHECK-LABEL: @mod_f32_v28_special
// CHECK: onnx.Constant dense<[1.3000001{{[0-9]*}}, 0.69999980{{[0-9]*}}, -0.69999980{{[0-9]*}}, -1.3000001{{[0-9]*}}, 0.000000e+00, -0.000000e+00, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}, 1.000000e+00, 0x7F800000, {{0x[7F][0-9A-F]+}}]> : tensor<11xf32>
// CHECK-NEXT: return
func.func @mod_f32_v28_special() -> tensor<11xf32> {
  %x = onnx.Constant dense<[5.300000e+00, -5.300000e+00, 5.300000e+00, -5.300000e+00, -0.000000e+00, 0.000000e+00, 0x7F800000, 1.000000e+00, 1.000000e+00, -1.000000e+00, 0x7FC00000]> : tensor<11xf32>
  %y = onnx.Constant dense<[2.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -3.000000e+00, 2.000000e+00, 0.000000e+00, 0x7F800000, 0x7F800000, 1.000000e+00]> : tensor<11xf32>
  %r = onnx.Mod(%x, %y) <{since = 28}> : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xf32>
  return %r : tensor<11xf32>
}

// -----

// CHECK-LABEL: @mod_i32_by_zero_stays
// CHECK: onnx.Mod(
func.func @mod_i32_by_zero_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %y = onnx.Constant dense<[1, 0]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Mod not folded: divisor element [1] is 0 and the type is i32}}
  %r = onnx.Mod(%x, %y) <{since = 13}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @mod_ui8_fmod_by_zero_stays
// CHECK: onnx.Mod(
func.func @mod_ui8_fmod_by_zero_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xui8>
  %y = onnx.Constant dense<[0, 1]> : tensor<2xui8>
  // expected-remark @+1 {{onnx.Mod not folded: divisor element [0] is 0 and the type is u8}}
  %r = onnx.Mod(%x, %y) <{since = 13}> {fmod = 1 : i64} : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @mod_i64_smallest_by_minus_one_stays
// CHECK: onnx.Mod(
func.func @mod_i64_smallest_by_minus_one_stays() -> tensor<1xi64> {
  %x = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %y = onnx.Constant dense<-1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Mod not folded: element [0] is the smallest i64 divided by -1}}
  %r = onnx.Mod(%x, %y) <{since = 13}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: @mod_f32_without_fmod_stays
// CHECK: onnx.Mod(
func.func @mod_f32_without_fmod_stays() -> tensor<1xf32> {
  %x = onnx.Constant dense<5.500000e+00> : tensor<1xf32>
  %y = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Mod not folded: attribute 'fmod' is 0, expected 1 for element type f32}}
  %r = onnx.Mod(%x, %y) <{since = 13}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mod_i32_mismatch_stays
// CHECK: onnx.Mod(
func.func @mod_i32_mismatch_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %y = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  // expected-remark @+1 {{onnx.Mod not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Mod(%x, %y) <{since = 13}> : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// (4 d, 12) mod (4, 5).
// CHECK-LABEL: @mod_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<[0, 2]> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @mod_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<4> : tensor<2xi64>
  %e = onnx.Constant dense<[4, 5]> : tensor<2xi64>
  %m = onnx.Mul(%s, %c) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Mod(%m, %e) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// d mod 4 is anything from 0 to 3.
// CHECK-LABEL: @mod_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Mod(
// CHECK: return %[[R]]
func.func @mod_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<4> : tensor<2xi64>
  %r = onnx.Mod(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// d mod 4 is less than 4.
// CHECK-LABEL: @mod_i64_symbolic_range
// CHECK: %[[R:.*]] = onnx.Constant dense<true> : tensor<2xi1>
// CHECK: return %[[R]]
func.func @mod_i64_symbolic_range(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<4> : tensor<2xi64>
  %m = onnx.Mod(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Less(%m, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
