// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @imputer_one_value
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 9.000000e+00], [9.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @imputer_one_value() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-0.0, 2.0]]> : tensor<2x2xf32>
  %r = onnx.ml.Imputer(%x0) <{since = 1}> {imputed_value_floats = array<f32: 9.0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @imputer_by_column_nan
// CHECK{LITERAL}: onnx.Constant dense<[[7.000000e+00, 8.000000e+00, 1.000000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT: return
func.func @imputer_by_column_nan() -> tensor<1x3xf32> {
  %x0 = onnx.Constant dense<[[0x7FC00000, 0x7FC00000, 1.0]]> : tensor<1x3xf32>
  %r = onnx.ml.Imputer(%x0) <{since = 1}> {imputed_value_floats = array<f32: 7.0, 8.0, 9.0>, replaced_value_float = 0x7FC00000 : f32} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

// CHECK-LABEL: @imputer_i32_does_not_hold_what_is_replaced
// CHECK{LITERAL}: onnx.Constant dense<[0, 1]> : tensor<2xi32>
// CHECK-NEXT: return
func.func @imputer_i32_does_not_hold_what_is_replaced() -> tensor<2xi32> {
  %x0 = onnx.Constant dense<[0, 1]> : tensor<2xi32>
  %r = onnx.ml.Imputer(%x0) <{since = 1}> {imputed_value_int64s = array<i64: 5>, replaced_value_int64 = 4294967296 : i64} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @imputer_i32_range_stays
// CHECK: onnx.ml.Imputer(
func.func @imputer_i32_range_stays() -> tensor<2xi32> {
  %x0 = onnx.Constant dense<[0, 1]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.ml.Imputer not folded: imputed value [0] does not fit the type of input #0}}
  %r = onnx.ml.Imputer(%x0) <{since = 1}> {imputed_value_int64s = array<i64: 4294967296>} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @imputer_count_stays
// CHECK: onnx.ml.Imputer(
func.func @imputer_count_stays() -> tensor<3xf32> {
  %x0 = onnx.Constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.ml.Imputer not folded: 2 imputed values for input #0 of shape [3]}}
  %r = onnx.ml.Imputer(%x0) <{since = 1}> {imputed_value_floats = array<f32: 1.0, 2.0>} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @imputer_kind_stays
// CHECK: onnx.ml.Imputer(
func.func @imputer_kind_stays() -> tensor<3xf32> {
  %x0 = onnx.Constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.ml.Imputer not folded: attribute 'imputed_value_floats' alone is expected for f32}}
  %r = onnx.ml.Imputer(%x0) <{since = 1}> {imputed_value_int64s = array<i64: 1>} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
