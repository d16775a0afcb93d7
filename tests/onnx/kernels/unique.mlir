// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, from the operator's text.

// CHECK-LABEL: @unique_not_sorted
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, 1.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK{LITERAL}: onnx.Constant dense<[0, 1, 3, 4]> : tensor<4xi64>
// CHECK{LITERAL}: onnx.Constant dense<[0, 1, 1, 2, 3, 2]> : tensor<6xi64>
// CHECK{LITERAL}: onnx.Constant dense<[1, 2, 2, 1]> : tensor<4xi64>
// CHECK-NEXT: return
func.func @unique_not_sorted() -> (tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>) {
  %x0 = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 1.000000e+00, 3.000000e+00, 4.000000e+00, 3.000000e+00]> : tensor<6xf32>
  %r:4 = onnx.Unique(%x0) <{since = 11}> {sorted = 0 : i64} : (tensor<6xf32>) -> (tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>
}

// -----

// The reference evaluator sorts where nobody asks for the other results.
// CHECK-LABEL: @unique_values_alone_not_sorted
// CHECK{LITERAL}: onnx.Constant dense<[5, 3]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @unique_values_alone_not_sorted() -> tensor<2xi64> {
  %x0 = onnx.Constant dense<[[5, 3], [3, 5]]> : tensor<2x2xi64>
  %r = onnx.Unique(%x0) <{since = 28}> {sorted = 0 : i64} : (tensor<2x2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// The reference evaluator takes the rows.
// CHECK-LABEL: @unique_axis_1_not_sorted
// CHECK{LITERAL}: onnx.Constant dense<[[3, 1], [4, 2]]> : tensor<2x2xi64>
// CHECK{LITERAL}: onnx.Constant dense<[0, 1]> : tensor<2xi64>
// CHECK{LITERAL}: onnx.Constant dense<[0, 1, 0]> : tensor<3xi64>
// CHECK{LITERAL}: onnx.Constant dense<[2, 1]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @unique_axis_1_not_sorted() -> (tensor<2x2xi64>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>) {
  %x0 = onnx.Constant dense<[[3, 1, 3], [4, 2, 4]]> : tensor<2x3xi64>
  %r:4 = onnx.Unique(%x0) <{since = 11}> {axis = -1 : i64, sorted = 0 : i64} : (tensor<2x3xi64>) -> (tensor<2x2xi64>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<2x2xi64>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>
}

// -----

// CHECK-LABEL: @unique_strings
// CHECK{LITERAL}: onnx.Constant dense<["", "a", "b"]> : tensor<3x!onnx.string>
// CHECK{LITERAL}: onnx.Constant dense<[3, 1, 0]> : tensor<3xi64>
// CHECK{LITERAL}: onnx.Constant dense<[2, 1, 2, 0]> : tensor<4xi64>
// CHECK{LITERAL}: onnx.Constant dense<[1, 1, 2]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @unique_strings() -> (tensor<3x!onnx.string>, tensor<3xi64>, tensor<4xi64>, tensor<3xi64>) {
  %x0 = onnx.Constant dense<["b", "a", "b", ""]> : tensor<4x!onnx.string>
  %r:4 = onnx.Unique(%x0) <{since = 11}> : (tensor<4x!onnx.string>) -> (tensor<3x!onnx.string>, tensor<3xi64>, tensor<4xi64>, tensor<3xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<3x!onnx.string>, tensor<3xi64>, tensor<4xi64>, tensor<3xi64>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @unique_nans_are_one_element_stays
// CHECK: onnx.Unique(
func.func @unique_nans_are_one_element_stays() -> (tensor<2xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>) {
  %x0 = onnx.Constant dense<[0x7FC00000, 1.000000e+00, 0x7FC00000]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Unique not folded: element [0] of input #0 is NaN, which runtimes do not order in one way}}
  %r:4 = onnx.Unique(%x0) <{since = 11}> : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<2xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @unique_slices_with_nan_differ_stays
// CHECK: onnx.Unique(
func.func @unique_slices_with_nan_differ_stays() -> (tensor<3xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) {
  %x0 = onnx.Constant dense<[0x7FC00000, 1.000000e+00, 0x7FC00000]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Unique not folded: element [0] of input #0 is NaN, which runtimes do not order in one way}}
  %r:4 = onnx.Unique(%x0) <{since = 11}> {axis = 0 : i64} : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<3xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>
}

// -----

// CHECK-LABEL: @unique_zeros_are_one_element
// CHECK{LITERAL}: onnx.Constant dense<-0.000000e+00> : tensor<1xf32>
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<1xi64>
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<3xi64>
// CHECK{LITERAL}: onnx.Constant dense<3> : tensor<1xi64>
// CHECK-NEXT: return
func.func @unique_zeros_are_one_element() -> (tensor<1xf32>, tensor<1xi64>, tensor<3xi64>, tensor<1xi64>) {
  %x0 = onnx.Constant dense<[-0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<3xf32>
  %r:4 = onnx.Unique(%x0) <{since = 11}> : (tensor<3xf32>) -> (tensor<1xf32>, tensor<1xi64>, tensor<3xi64>, tensor<1xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<1xf32>, tensor<1xi64>, tensor<3xi64>, tensor<1xi64>
}

// -----

// CHECK-LABEL: @unique_scalar
// CHECK{LITERAL}: onnx.Constant dense<7> : tensor<1xi32>
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<1xi64>
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<1xi64>
// CHECK{LITERAL}: onnx.Constant dense<1> : tensor<1xi64>
// CHECK-NEXT: return
func.func @unique_scalar() -> (tensor<1xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) {
  %x0 = onnx.Constant dense<7> : tensor<i32>
  %r:4 = onnx.Unique(%x0) <{since = 11}> : (tensor<i32>) -> (tensor<1xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<1xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>
}

// -----

// CHECK-LABEL: @unique_axis_out_of_range_stays
// CHECK: onnx.Unique(
func.func @unique_axis_out_of_range_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Unique not folded: attribute 'axis' is 1, the rank is 1}}
  %r = onnx.Unique(%x0) <{since = 11}> {axis = 1 : i64} : (tensor<2xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
