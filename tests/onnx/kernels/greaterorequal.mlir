// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool.

// False where an operand is NaN; -0 equals 0.
// CHECK-LABEL: @greaterorequal_f32_special
// CHECK: onnx.Constant dense<[false, true, true, false, true, false]> : tensor<6xi1>
// CHECK-NEXT: return
func.func @greaterorequal_f32_special() -> tensor<6xi1> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 2.000000e+00, 0x7FC00000, 0.000000e+00, 0xFF800000]> : tensor<6xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 2.000000e+00, 1.000000e+00, -0.000000e+00, 0x7FC00000]> : tensor<6xf32>
  %r = onnx.GreaterOrEqual(%x, %y) <{since = 16}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %r : tensor<6xi1>
}

// -----

// CHECK-LABEL: @greaterorequal_i64_beyond_double
// CHECK: onnx.Constant dense<[false, true, false]> : tensor<3xi1>
// CHECK-NEXT: return
func.func @greaterorequal_i64_beyond_double() -> tensor<3xi1> {
  %x = onnx.Constant dense<[9007199254740992, 9007199254740993, -1]> : tensor<3xi64>
  %y = onnx.Constant dense<[9007199254740993, 9007199254740992, 1]> : tensor<3xi64>
  %r = onnx.GreaterOrEqual(%x, %y) <{since = 16}> : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: @greaterorequal_ui64_beyond_signed
// CHECK: onnx.Constant dense<[true, false, true]> : tensor<3xi1>
// CHECK-NEXT: return
func.func @greaterorequal_ui64_beyond_signed() -> tensor<3xi1> {
  %x = onnx.Constant dense<[9223372036854775808, 1, 5]> : tensor<3xui64>
  %y = onnx.Constant dense<[1, 9223372036854775808, 5]> : tensor<3xui64>
  %r = onnx.GreaterOrEqual(%x, %y) <{since = 16}> : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: @greaterorequal_f64_empty
// CHECK: onnx.Constant dense<> : tensor<0xi1>
// CHECK-NEXT: return
func.func @greaterorequal_f64_empty() -> tensor<0xi1> {
  %x = onnx.Constant dense<> : tensor<0xf64>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1xf64>
  %r = onnx.GreaterOrEqual(%x, %y) <{since = 16}> : (tensor<0xf64>, tensor<1xf64>) -> tensor<0xi1>
  return %r : tensor<0xi1>
}

// -----

// CHECK-LABEL: @greaterorequal_i32_mismatch_stays
// CHECK: onnx.GreaterOrEqual(
func.func @greaterorequal_i32_mismatch_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %y = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  // expected-remark @+1 {{onnx.GreaterOrEqual not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.GreaterOrEqual(%x, %y) <{since = 16}> : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @greaterorequal_i1_stays
// CHECK: onnx.GreaterOrEqual(
func.func @greaterorequal_i1_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[false, true]> : tensor<2xi1>
  %y = onnx.Constant dense<true> : tensor<2xi1>
  // expected-remark @+1 {{onnx.GreaterOrEqual not folded: input #0 ('A') is tensor<2xi1>, expected one of}}
  %r = onnx.GreaterOrEqual(%x, %y) <{since = 16}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// d >= 0 always holds.
// CHECK-LABEL: @greaterorequal_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<[true, false]> : tensor<2xi1>
// CHECK: return %[[R]]
func.func @greaterorequal_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[0, 4]> : tensor<2xi64>
  %r = onnx.GreaterOrEqual(%s, %c) <{since = 16}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// It may be 0.
// CHECK-LABEL: @greaterorequal_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.GreaterOrEqual(
// CHECK: return %[[R]]
func.func @greaterorequal_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<1> : tensor<2xi64>
  %r = onnx.GreaterOrEqual(%s, %c) <{since = 16}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
