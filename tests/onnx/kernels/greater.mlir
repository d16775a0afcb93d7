// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool.

// False where an operand is NaN; -0 equals 0.
// CHECK-LABEL: @greater_f32_special
// CHECK: onnx.Constant dense<[false, true, false, false, false, false]> : tensor<6xi1>
// CHECK-NEXT: return
func.func @greater_f32_special() -> tensor<6xi1> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 2.000000e+00, 0x7FC00000, 0.000000e+00, 0xFF800000]> : tensor<6xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 2.000000e+00, 1.000000e+00, -0.000000e+00, 0x7FC00000]> : tensor<6xf32>
  %r = onnx.Greater(%x, %y) <{since = 13}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %r : tensor<6xi1>
}

// -----

// CHECK-LABEL: @greater_i64_beyond_double
// CHECK: onnx.Constant dense<[false, true, false]> : tensor<3xi1>
// CHECK-NEXT: return
func.func @greater_i64_beyond_double() -> tensor<3xi1> {
  %x = onnx.Constant dense<[9007199254740992, 9007199254740993, -1]> : tensor<3xi64>
  %y = onnx.Constant dense<[9007199254740993, 9007199254740992, 1]> : tensor<3xi64>
  %r = onnx.Greater(%x, %y) <{since = 13}> : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: @greater_ui64_beyond_signed
// CHECK: onnx.Constant dense<[true, false, false]> : tensor<3xi1>
// CHECK-NEXT: return
func.func @greater_ui64_beyond_signed() -> tensor<3xi1> {
  %x = onnx.Constant dense<[9223372036854775808, 1, 5]> : tensor<3xui64>
  %y = onnx.Constant dense<[1, 9223372036854775808, 5]> : tensor<3xui64>
  %r = onnx.Greater(%x, %y) <{since = 13}> : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: @greater_f64_empty
// CHECK: onnx.Constant dense<> : tensor<0xi1>
// CHECK-NEXT: return
func.func @greater_f64_empty() -> tensor<0xi1> {
  %x = onnx.Constant dense<> : tensor<0xf64>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1xf64>
  %r = onnx.Greater(%x, %y) <{since = 13}> : (tensor<0xf64>, tensor<1xf64>) -> tensor<0xi1>
  return %r : tensor<0xi1>
}

// -----

// CHECK-LABEL: @greater_i32_mismatch_stays
// CHECK: onnx.Greater(
func.func @greater_i32_mismatch_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %y = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  // expected-remark @+1 {{onnx.Greater not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Greater(%x, %y) <{since = 13}> : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @greater_i1_stays
// CHECK: onnx.Greater(
func.func @greater_i1_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[false, true]> : tensor<2xi1>
  %y = onnx.Constant dense<true> : tensor<2xi1>
  // expected-remark @+1 {{onnx.Greater not folded: input #0 ('A') is tensor<2xi1>, expected one of}}
  %r = onnx.Greater(%x, %y) <{since = 13}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// Before version 7 the shape of the second input may be a part of the first's, from `axis` on.
// CHECK-LABEL: @greater_f32_v1_axis
// CHECK: onnx.Constant dense<{{\[\[\[}}false, false], [true, true], [true, true]], {{\[\[}}true, true], [true, true], [true, true]]]> : tensor<2x3x2xi1>
// CHECK-NEXT: return
func.func @greater_f32_v1_axis() -> tensor<2x3x2xi1> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<3xf32>
  %r = onnx.Greater(%x, %y) <{since = 1}> {axis = 1 : i64, broadcast = 1 : i64} : (tensor<2x3x2xf32>, tensor<3xf32>) -> tensor<2x3x2xi1>
  return %r : tensor<2x3x2xi1>
}

// -----

// CHECK-LABEL: @greater_f32_v1_no_broadcast_stays
// CHECK: onnx.Greater(
func.func @greater_f32_v1_no_broadcast_stays() -> tensor<2x3x2xi1> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Greater not folded: shapes [2, 3, 2] and [2] do not broadcast}}
  %r = onnx.Greater(%x, %y) <{since = 1}> : (tensor<2x3x2xf32>, tensor<2xf32>) -> tensor<2x3x2xi1>
  return %r : tensor<2x3x2xi1>
}

// -----

// CHECK-LABEL: @greater_f32_v1_axis_outside_stays
// CHECK: onnx.Greater(
func.func @greater_f32_v1_axis_outside_stays() -> tensor<2x3x2xi1> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 4.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Greater not folded: shapes [2, 3, 2] and [3] do not broadcast}}
  %r = onnx.Greater(%x, %y) <{since = 1}> {axis = 3 : i64, broadcast = 1 : i64} : (tensor<2x3x2xf32>, tensor<3xf32>) -> tensor<2x3x2xi1>
  return %r : tensor<2x3x2xi1>
}

// -----

// d > -1 always holds.
// CHECK-LABEL: @greater_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<[true, false]> : tensor<2xi1>
// CHECK: return %[[R]]
func.func @greater_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[-1, 3]> : tensor<2xi64>
  %r = onnx.Greater(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// It may be 0.
// CHECK-LABEL: @greater_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Greater(
// CHECK: return %[[R]]
func.func @greater_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<0> : tensor<2xi64>
  %r = onnx.Greater(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
