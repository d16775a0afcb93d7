// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.concatenate.

// The axis is optional in version 1.
// CHECK-LABEL: @concat_default_axis
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 8.000000e+00], [2.000000e+00, 3.000000e+00, 9.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @concat_default_axis() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[[8.000000e+00], [9.000000e+00]]> : tensor<2x1xf32>
  %r = onnx.Concat(%x, %y) <{since = 1}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @concat_one
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @concat_one() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.Concat(%x) <{since = 13}> {axis = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @concat_empty_part
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @concat_empty_part() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.Concat(%x, %y) <{since = 13}> {axis = 0 : i64} : (tensor<0x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @concat_string
// CHECK: onnx.Constant dense<["a", "b", "c"]> : tensor<3x!onnx.string>
// CHECK-NEXT: return
func.func @concat_string() -> tensor<3x!onnx.string> {
  %x = onnx.Constant dense<"a"> : tensor<1x!onnx.string>
  %y = onnx.Constant dense<["b", "c"]> : tensor<2x!onnx.string>
  %r = onnx.Concat(%x, %y) <{since = 4}> {axis = 0 : i64} : (tensor<1x!onnx.string>, tensor<2x!onnx.string>) -> tensor<3x!onnx.string>
  return %r : tensor<3x!onnx.string>
}

// -----

// CHECK-LABEL: @concat_rank_0_stays
// CHECK: onnx.Concat(
func.func @concat_rank_0_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Concat not folded: attribute 'axis' is 0, the rank is 0}}
  %r = onnx.Concat(%x, %y) <{since = 13}> {axis = 0 : i64} : (tensor<f32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @concat_beyond_stays
// CHECK: onnx.Concat(
func.func @concat_beyond_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[[8.000000e+00], [9.000000e+00]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.Concat not folded: attribute 'axis' is 2, the rank is 2}}
  %r = onnx.Concat(%x, %y) <{since = 13}> {axis = 2 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @concat_mismatch_stays
// CHECK: onnx.Concat(
func.func @concat_mismatch_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[[8.000000e+00], [9.000000e+00]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.Concat not folded: input #1 has shape [2, 1], expected that of input #0, [2, 2], but for axis 0}}
  %r = onnx.Concat(%x, %y) <{since = 13}> {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @concat_other_rank_stays
// CHECK: onnx.Concat(
func.func @concat_other_rank_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Concat not folded: input #1 has shape [1], expected that of input #0, [2, 2], but for axis 0}}
  %r = onnx.Concat(%x, %y) <{since = 13}> {axis = 0 : i64} : (tensor<2x2xf32>, tensor<1xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// An input of a variadic operator that is left out in its midst.
// CHECK-LABEL: @concat_absent_stays
// CHECK: onnx.Concat(
func.func @concat_absent_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Absent
  // expected-remark @+1 {{onnx.Concat not folded: input #1 is missing}}
  %r = onnx.Concat(%x, %y) <{since = 13}> {axis = 0 : i64} : (tensor<2xf32>, none) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @concat_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<[5, 3]> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @concat_symbols(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<5> : tensor<1xi64>
  %t = onnx.Concat(%s, %c) <{since = 13}> {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  %i = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %r = onnx.Gather(%t, %i) <{since = 13}> : (tensor<3xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
