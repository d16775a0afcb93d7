// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy slices.

// CHECK-LABEL: @split_equal
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK: onnx.Constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @split_equal() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
  %r:2 = onnx.Split(%x) <{since = 2}> : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @split_equal_absent
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK: onnx.Constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @split_equal_absent() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
  %y = onnx.Absent
  %r:2 = onnx.Split(%x, %y) <{since = 13}> : (tensor<4xf32>, none) -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// The last part is smaller.
// CHECK-LABEL: @split_num_outputs
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK: onnx.Constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @split_num_outputs() -> (tensor<3xf32>, tensor<2xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %r:2 = onnx.Split(%x) <{since = 18}> {num_outputs = 2 : i64} : (tensor<5xf32>) -> (tensor<3xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @split_zero_sizes
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @split_zero_sizes() -> (tensor<0xf32>, tensor<2xf32>, tensor<0xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[0, 2, 0]> : tensor<3xi64>
  %r:3 = onnx.Split(%x, %y) <{since = 18}> : (tensor<2xf32>, tensor<3xi64>) -> (tensor<0xf32>, tensor<2xf32>, tensor<0xf32>)
  return %r#0, %r#1, %r#2 : tensor<0xf32>, tensor<2xf32>, tensor<0xf32>
}

// -----

// N3: a tensor of size 0.
// CHECK-LABEL: @split_empty_tensor
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @split_empty_tensor() -> (tensor<0xf32>, tensor<0xf32>) {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %y = onnx.Constant dense<0> : tensor<2xi64>
  %r:2 = onnx.Split(%x, %y) <{since = 13}> : (tensor<0xf32>, tensor<2xi64>) -> (tensor<0xf32>, tensor<0xf32>)
  return %r#0, %r#1 : tensor<0xf32>, tensor<0xf32>
}

// -----

// CHECK-LABEL: @split_empty_tensor_equal
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @split_empty_tensor_equal() -> (tensor<0xf32>, tensor<0xf32>) {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %r:2 = onnx.Split(%x) <{since = 13}> : (tensor<0xf32>) -> (tensor<0xf32>, tensor<0xf32>)
  return %r#0, %r#1 : tensor<0xf32>, tensor<0xf32>
}

// -----

// CHECK-LABEL: @split_string
// CHECK: onnx.Constant dense<"a"> : tensor<1x!onnx.string>
// CHECK: onnx.Constant dense<"b"> : tensor<1x!onnx.string>
// CHECK-NEXT: return
func.func @split_string() -> (tensor<1x!onnx.string>, tensor<1x!onnx.string>) {
  %x = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  %r:2 = onnx.Split(%x, %y) <{since = 13}> : (tensor<2x!onnx.string>, tensor<2xi64>) -> (tensor<1x!onnx.string>, tensor<1x!onnx.string>)
  return %r#0, %r#1 : tensor<1x!onnx.string>, tensor<1x!onnx.string>
}

// -----

// B13.
// CHECK-LABEL: @split_not_divisible_stays
// CHECK: onnx.Split(
func.func @split_not_divisible_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  // expected-remark @+1 {{onnx.Split not folded: axis 0 has size 5, which is not split into 2 equal parts}}
  %r:2 = onnx.Split(%x) <{since = 13}> : (tensor<5xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Parts of one: the last would have -1.
// CHECK-LABEL: @split_too_many_stays
// CHECK: onnx.Split(
func.func @split_too_many_stays() -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Split not folded: axis 0 has size 3, which is not split into 5 equal parts}}
  %r:5 = onnx.Split(%x) <{since = 18}> {num_outputs = 5 : i64} : (tensor<3xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_neither_stays
// CHECK: onnx.Split(
func.func @split_neither_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
  // expected-remark @+1 {{onnx.Split not folded: neither 'split' nor 'num_outputs' is given}}
  %r:2 = onnx.Split(%x) <{since = 18}> : (tensor<4xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_both_stays
// CHECK: onnx.Split(
func.func @split_both_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<2> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Split not folded: both 'split' and 'num_outputs' are given}}
  %r:2 = onnx.Split(%x, %y) <{since = 18}> {num_outputs = 2 : i64} : (tensor<4xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_num_outputs_is_not_results_stays
// CHECK: onnx.Split(
func.func @split_num_outputs_is_not_results_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]> : tensor<6xf32>
  // expected-remark @+1 {{onnx.Split not folded: attribute 'num_outputs' is 3, there are 2 results}}
  %r:2 = onnx.Split(%x) <{since = 18}> {num_outputs = 3 : i64} : (tensor<6xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_negative_stays
// CHECK: onnx.Split(
func.func @split_negative_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<[6, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Split not folded: axis 0 has size 5, split is [6, -1]}}
  %r:2 = onnx.Split(%x, %y) <{since = 13}> : (tensor<5xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_sum_too_small_stays
// CHECK: onnx.Split(
func.func @split_sum_too_small_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<2> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Split not folded: axis 0 has size 5, split is [2, 2]}}
  %r:2 = onnx.Split(%x, %y) <{since = 13}> : (tensor<5xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_sum_too_large_stays
// CHECK: onnx.Split(
func.func @split_sum_too_large_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<[2, 4]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Split not folded: axis 0 has size 5, split is [2, 4]}}
  %r:2 = onnx.Split(%x, %y) <{since = 13}> : (tensor<5xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_overflow_stays
// CHECK: onnx.Split(
func.func @split_overflow_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<9223372036854775807> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Split not folded: axis 0 has size 5, split is}}
  %r:2 = onnx.Split(%x, %y) <{since = 13}> : (tensor<5xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_sizes_and_results_stays
// CHECK: onnx.Split(
func.func @split_sizes_and_results_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<[2, 2, 1]> : tensor<3xi64>
  // expected-remark @+1 {{onnx.Split not folded: split is [2, 2, 1], there are 2 results}}
  %r:2 = onnx.Split(%x, %y) <{since = 13}> : (tensor<5xf32>, tensor<3xi64>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_axis_stays
// CHECK: onnx.Split(
func.func @split_axis_stays() -> (tensor<?xf32>, tensor<?xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Split not folded: attribute 'axis' is 1, the rank is 1}}
  %r:2 = onnx.Split(%x, %y) <{since = 13}> {axis = 1 : i64} : (tensor<5xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xf32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: @split_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<1xi64>
// CHECK: return %[[R]]
func.func @split_symbols(%x: tensor<?x3xf32>) -> tensor<1xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %h = onnx.Constant dense<1> : tensor<2xi64>
  %t:2 = onnx.Split(%s, %h) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> (tensor<1xi64>, tensor<1xi64>)
  %r = onnx.Identity(%t#1) <{since = 13}> : (tensor<1xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// Version 1 may have the sizes as a second input, which has the type of the data.
// CHECK-LABEL: @split_v1_input
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1xf32>
// CHECK: onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @split_v1_input() -> (tensor<1xf32>, tensor<2xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r:2 = onnx.Split(%x, %y) <{since = 1}> {axis = 0 : i64} : (tensor<3xf32>, tensor<2xf32>) -> (tensor<1xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<1xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @split_v1_attribute_and_equal
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<1xf32>
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<1xf32>
// CHECK: onnx.Constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// CHECK: onnx.Constant dense<[6.000000e+00, 7.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @split_v1_attribute_and_equal() -> (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
  %r:3 = onnx.Split(%x) <{since = 1}> {axis = 0 : i64, split = array<i64: 2, 1, 1>} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>)
  %y = onnx.Constant dense<[4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00]> : tensor<4xf32>
  %q:2 = onnx.Split(%y) <{since = 1}> {axis = 0 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1, %r#2, %q#0, %q#1 : tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @split_v1_without_axis_stays
// CHECK: onnx.Split(
func.func @split_v1_without_axis_stays() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Split not folded: no axis is given, and version 1 has no default}}
  %r:2 = onnx.Split(%x) <{since = 1}> : (tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %r#0, %r#1 : tensor<1xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: @split_v1_fractions_stay
// CHECK: onnx.Split(
func.func @split_v1_fractions_stay() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[0.500000e+00, 1.500000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Split not folded: the sizes are not whole numbers}}
  %r:2 = onnx.Split(%x, %y) <{since = 1}> {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %r#0, %r#1 : tensor<1xf32>, tensor<1xf32>
}
