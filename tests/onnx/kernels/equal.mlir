// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool.

// NaN equals nothing; -0 equals 0.
// CHECK-LABEL: @equal_f32_special
// CHECK: onnx.Constant dense<[false, false, true, false, true, false]> : tensor<6xi1>
// CHECK-NEXT: return
func.func @equal_f32_special() -> tensor<6xi1> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 2.000000e+00, 0x7FC00000, 0.000000e+00, 0xFF800000]> : tensor<6xf32>
  %y = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 2.000000e+00, 1.000000e+00, -0.000000e+00, 0x7FC00000]> : tensor<6xf32>
  %r = onnx.Equal(%x, %y) <{since = 19}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %r : tensor<6xi1>
}

// -----

// CHECK-LABEL: @equal_i64_beyond_double
// CHECK: onnx.Constant dense<[false, true]> : tensor<2xi1>
// CHECK-NEXT: return
func.func @equal_i64_beyond_double() -> tensor<2xi1> {
  %x = onnx.Constant dense<[9007199254740992, 7]> : tensor<2xi64>
  %y = onnx.Constant dense<[9007199254740993, 7]> : tensor<2xi64>
  %r = onnx.Equal(%x, %y) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @equal_string_scalar
// CHECK: onnx.Constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return
func.func @equal_string_scalar() -> tensor<2xi1> {
  %x = onnx.Constant dense<["ab", "b"]> : tensor<2x!onnx.string>
  %y = onnx.Constant dense<"ab"> : tensor<!onnx.string>
  %r = onnx.Equal(%x, %y) <{since = 19}> : (tensor<2x!onnx.string>, tensor<!onnx.string>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @equal_i32_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xi1>
// CHECK-NEXT: return
func.func @equal_i32_empty() -> tensor<0x2xi1> {
  %x = onnx.Constant dense<> : tensor<0x2xi32>
  %y = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %r = onnx.Equal(%x, %y) <{since = 13}> : (tensor<0x2xi32>, tensor<2xi32>) -> tensor<0x2xi1>
  return %r : tensor<0x2xi1>
}

// -----

// CHECK-LABEL: @equal_i32_mismatch_stays
// CHECK: onnx.Equal(
func.func @equal_i32_mismatch_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %y = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  // expected-remark @+1 {{onnx.Equal not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Equal(%x, %y) <{since = 13}> : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// Before version 7 the shape of the second input may be a part of the first's, from `axis` on.
// CHECK-LABEL: @equal_i32_v1_axis
// CHECK: onnx.Constant dense<{{\[\[\[}}false, true], [false, false], [false, false]], {{\[\[}}false, false], [false, false], [false, false]]]> : tensor<2x3x2xi1>
// CHECK-NEXT: return
func.func @equal_i32_v1_axis() -> tensor<2x3x2xi1> {
  %x = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %y = onnx.Constant dense<[2, 1, 4]> : tensor<3xi32>
  %r = onnx.Equal(%x, %y) <{since = 1}> {axis = 1 : i64, broadcast = 1 : i64} : (tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x2xi1>
  return %r : tensor<2x3x2xi1>
}

// -----

// CHECK-LABEL: @equal_i32_v1_no_broadcast_stays
// CHECK: onnx.Equal(
func.func @equal_i32_v1_no_broadcast_stays() -> tensor<2x3x2xi1> {
  %x = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %y = onnx.Constant dense<[2, 4]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Equal not folded: shapes [2, 3, 2] and [2] do not broadcast}}
  %r = onnx.Equal(%x, %y) <{since = 1}> : (tensor<2x3x2xi32>, tensor<2xi32>) -> tensor<2x3x2xi1>
  return %r : tensor<2x3x2xi1>
}

// -----

// CHECK-LABEL: @equal_i32_v1_axis_outside_stays
// CHECK: onnx.Equal(
func.func @equal_i32_v1_axis_outside_stays() -> tensor<2x3x2xi1> {
  %x = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %y = onnx.Constant dense<[2, 1, 4]> : tensor<3xi32>
  // expected-remark @+1 {{onnx.Equal not folded: shapes [2, 3, 2] and [3] do not broadcast}}
  %r = onnx.Equal(%x, %y) <{since = 1}> {axis = 3 : i64, broadcast = 1 : i64} : (tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x2xi1>
  return %r : tensor<2x3x2xi1>
}

// -----

// No dimension is -1: the mask of an Expand, as PyTorch writes it.
// CHECK-LABEL: @equal_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<[false, true]> : tensor<2xi1>
// CHECK: return %[[R]]
func.func @equal_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[-1, 3]> : tensor<2xi64>
  %r = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// It may be 1.
// CHECK-LABEL: @equal_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Equal(
// CHECK: return %[[R]]
func.func @equal_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %r = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
