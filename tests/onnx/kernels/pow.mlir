// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Floats: in double, rounded once. onnx-mlir read integer exponents as floats (B7) and lost
// digits of int64 (B10).

// CHECK-LABEL: @pow_f32_special
// CHECK: onnx.Constant dense<[1.4142135{{[0-9]*}}, -8.000000e+00, 1.000000e+00, 0xFF800000, 1.000000e+00, 1.000000e+00, 0.000000e+00, {{0x[7F][0-9A-F]+}}]> : tensor<8xf32>
// CHECK-NEXT: return
func.func @pow_f32_special() -> tensor<8xf32> {
  %x = onnx.Constant dense<[2.000000e+00, -2.000000e+00, 0.000000e+00, -0.000000e+00, 0x7FC00000, 1.000000e+00, 0x7F800000, -8.000000e+00]> : tensor<8xf32>
  %y = onnx.Constant dense<[5.000000e-01, 3.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00, 0x7FC00000, -2.000000e+00, 5.000000e-01]> : tensor<8xf32>
  %r = onnx.Pow(%x, %y) <{since = 15}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @pow_i64_beyond_double
// CHECK: onnx.Constant dense<[4052555153018976267, -4052555153018976267, 4611686018427387904]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @pow_i64_beyond_double() -> tensor<3xi64> {
  %x = onnx.Constant dense<[3, -3, 2]> : tensor<3xi64>
  %y = onnx.Constant dense<[39, 39, 62]> : tensor<3xi64>
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @pow_i32_wraps
// CHECK: onnx.Constant dense<[1870418611, -2147483648, -2147483648]> : tensor<3xi32>
// CHECK-NEXT: return
func.func @pow_i32_wraps() -> tensor<3xi32> {
  %x = onnx.Constant dense<[3, 2, -2]> : tensor<3xi32>
  %y = onnx.Constant dense<[21, 31, 31]> : tensor<3xi32>
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// CHECK-LABEL: @pow_i32_zero_exponent
// CHECK: onnx.Constant dense<1> : tensor<2xi32>
// CHECK-NEXT: return
func.func @pow_i32_zero_exponent() -> tensor<2xi32> {
  %x = onnx.Constant dense<[0, -7]> : tensor<2xi32>
  %y = onnx.Constant dense<0> : tensor<2xui8>
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<2xi32>, tensor<2xui8>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @pow_i32_ui64_exponent
// CHECK: onnx.Constant dense<[-1, 81]> : tensor<2xi32>
// CHECK-NEXT: return
func.func @pow_i32_ui64_exponent() -> tensor<2xi32> {
  %x = onnx.Constant dense<[-1, 3]> : tensor<2xi32>
  %y = onnx.Constant dense<[18446744073709551615, 4]> : tensor<2xui64>
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<2xi32>, tensor<2xui64>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @pow_i32_f32_out_of_range_stays
// CHECK: onnx.Pow(
func.func @pow_i32_f32_out_of_range_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<10> : tensor<2xi32>
  %y = onnx.Constant dense<[9.000000e+00, 1.000000e+01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Pow not folded: element [1] is 1e+10, out of the range of i32}}
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @pow_i64_f32_nan_stays
// CHECK: onnx.Pow(
func.func @pow_i64_f32_nan_stays() -> tensor<2xi64> {
  %x = onnx.Constant dense<[4, -4]> : tensor<2xi64>
  %y = onnx.Constant dense<5.000000e-01> : tensor<f32>
  // expected-remark @+1 {{onnx.Pow not folded: element [1] is}}
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<2xi64>, tensor<f32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @pow_i32_negative_exponent_stays
// CHECK: onnx.Pow(
func.func @pow_i32_negative_exponent_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[2, 3]> : tensor<2xi32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Pow not folded: exponent element [1] is -1 and the base is i32}}
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<2xi32>, tensor<2xi64>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @pow_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @pow_f32_empty() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %y = onnx.Constant dense<2> : tensor<1xi32>
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<0xf32>, tensor<1xi32>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @pow_f32_mismatch_stays
// CHECK: onnx.Pow(
func.func @pow_f32_mismatch_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  // expected-remark @+1 {{onnx.Pow not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Pow(%x, %y) <{since = 13}> : (tensor<2xf32>, tensor<3xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @pow_f32_bool_stays
// CHECK: onnx.Pow(
func.func @pow_f32_bool_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[true, false]> : tensor<2xi1>
  // expected-remark @+1 {{onnx.Pow not folded: input #1 ('Y') is tensor<2xi1>, expected one of}}
  %r = onnx.Pow(%x, %y) <{since = 15}> : (tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
