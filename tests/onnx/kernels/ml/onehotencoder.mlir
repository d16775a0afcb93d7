// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @onehotencoder_f32_is_cut_off
// CHECK{LITERAL}: onnx.Constant dense<[[[0.000000e+00, 1.000000e+00], [1.000000e+00, 0.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @onehotencoder_f32_is_cut_off() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[2.75, -0.5]]> : tensor<1x2xf32>
  %r = onnx.ml.OneHotEncoder(%x0) <{since = 1}> {cats_int64s = array<i64: 0, 2>} : (tensor<1x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @onehotencoder_strings
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @onehotencoder_strings() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<["b"]> : tensor<1x!onnx.string>
  %r = onnx.ml.OneHotEncoder(%x0) <{since = 1}> {cats_strings = ["a", "b"], zeros = 0 : i64} : (tensor<1x!onnx.string>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @onehotencoder_no_category_stays
// CHECK: onnx.ml.OneHotEncoder(
func.func @onehotencoder_no_category_stays() -> tensor<3x2xf32> {
  %x0 = onnx.Constant dense<[2, 5, 7]> : tensor<3xi64>
  // expected-remark @+1 {{onnx.ml.OneHotEncoder not folded: element [2] is not a category, and attribute 'zeros' is 0}}
  %r = onnx.ml.OneHotEncoder(%x0) <{since = 1}> {cats_int64s = array<i64: 5, 2>, zeros = 0 : i64} : (tensor<3xi64>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @onehotencoder_nan_stays
// CHECK: onnx.ml.OneHotEncoder(
func.func @onehotencoder_nan_stays() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[0x7FC00000]> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ml.OneHotEncoder not folded: element [0] is nan, out of the range of i64}}
  %r = onnx.ml.OneHotEncoder(%x0) <{since = 1}> {cats_int64s = array<i64: 5, 2>} : (tensor<1xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @onehotencoder_repeated_stays
// CHECK: onnx.ml.OneHotEncoder(
func.func @onehotencoder_repeated_stays() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[1]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ml.OneHotEncoder not folded: element [1] of attribute 'cats_int64s' stands in it twice}}
  %r = onnx.ml.OneHotEncoder(%x0) <{since = 1}> {cats_int64s = array<i64: 5, 5>} : (tensor<1xi64>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @onehotencoder_kind_stays
// CHECK: onnx.ml.OneHotEncoder(
func.func @onehotencoder_kind_stays() -> tensor<*xf32> {
  %x0 = onnx.Constant dense<["b"]> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.ml.OneHotEncoder not folded: attribute 'cats_strings' alone is expected for str}}
  %r = onnx.ml.OneHotEncoder(%x0) <{since = 1}> {cats_int64s = array<i64: 5>} : (tensor<1x!onnx.string>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
