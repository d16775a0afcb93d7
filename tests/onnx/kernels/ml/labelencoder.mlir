// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @labelencoder_1_to_strings
// CHECK{LITERAL}: onnx.Constant dense<["b", "?", "?"]> : tensor<3x!onnx.string>
// CHECK-NEXT: return
func.func @labelencoder_1_to_strings() -> tensor<3x!onnx.string> {
  %x0 = onnx.Constant dense<[1, 2, -1]> : tensor<3xi64>
  %r = onnx.ml.LabelEncoder(%x0) <{since = 1}> {classes_strings = ["a", "b"], default_string = "?"} : (tensor<3xi64>) -> tensor<3x!onnx.string>
  return %r : tensor<3x!onnx.string>
}

// -----

// CHECK-LABEL: @labelencoder_1_repeated_stays
// CHECK: onnx.ml.LabelEncoder(
func.func @labelencoder_1_repeated_stays() -> tensor<2xi64> {
  %x0 = onnx.Constant dense<["b", "x"]> : tensor<2x!onnx.string>
  // expected-remark @+1 {{onnx.ml.LabelEncoder not folded: element [1] of attribute 'classes_strings' stands in it twice}}
  %r = onnx.ml.LabelEncoder(%x0) <{since = 1}> {classes_strings = ["a", "a"]} : (tensor<2x!onnx.string>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @labelencoder_2_strings_to_floats
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, -0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @labelencoder_2_strings_to_floats() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<["b", "x"]> : tensor<2x!onnx.string>
  %r = onnx.ml.LabelEncoder(%x0) <{since = 2}> {keys_strings = ["a", "b"], values_floats = array<f32: 1.0, 2.0>} : (tensor<2x!onnx.string>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @labelencoder_2_repeated_stays
// CHECK: onnx.ml.LabelEncoder(
func.func @labelencoder_2_repeated_stays() -> tensor<1xi64> {
  %x0 = onnx.Constant dense<[1]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ml.LabelEncoder not folded: element [1] of attribute 'keys_*' stands in it twice}}
  %r = onnx.ml.LabelEncoder(%x0) <{since = 2}> {keys_int64s = array<i64: 1, 1>, values_int64s = array<i64: 7, 8>} : (tensor<1xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: @labelencoder_2_nan_stays
// CHECK: onnx.ml.LabelEncoder(
func.func @labelencoder_2_nan_stays() -> tensor<1xi64> {
  %x0 = onnx.Constant dense<[0x7FC00001]> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ml.LabelEncoder not folded: a NaN or a zero is a key as a number and not bit by bit, or the other way round}}
  %r = onnx.ml.LabelEncoder(%x0) <{since = 2}> {keys_floats = array<f32: 0x7FC00000>, values_int64s = array<i64: 7>} : (tensor<1xf32>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: @labelencoder_2_zero_stays
// CHECK: onnx.ml.LabelEncoder(
func.func @labelencoder_2_zero_stays() -> tensor<1xi64> {
  %x0 = onnx.Constant dense<[-0.0]> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ml.LabelEncoder not folded: a NaN or a zero is a key as a number and not bit by bit, or the other way round}}
  %r = onnx.ml.LabelEncoder(%x0) <{since = 2}> {keys_floats = array<f32: 0.0>, values_int64s = array<i64: 7>} : (tensor<1xf32>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: @labelencoder_4_last_key_holds_nan_zero_stays
// CHECK: onnx.ml.LabelEncoder(
func.func @labelencoder_4_last_key_holds_nan_zero_stays() -> tensor<3xi64> {
  %x0 = onnx.Constant dense<[0x7FC00001, -0.0, 3.0]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.ml.LabelEncoder not folded: element [2] of attribute 'keys_*' stands in it twice}}
  %r = onnx.ml.LabelEncoder(%x0) <{since = 4}> {keys_floats = array<f32: 0x7FC00000, 0.0, 0.0>, values_int64s = array<i64: 7, 8, 9>} : (tensor<3xf32>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @labelencoder_4_default_of_the_type
// CHECK{LITERAL}: onnx.Constant dense<-0.000000e+00> : tensor<f64>
// CHECK-NEXT: return
func.func @labelencoder_4_default_of_the_type() -> tensor<f64> {
  %x0 = onnx.Constant dense<1> : tensor<i32>
  %r = onnx.ml.LabelEncoder(%x0) <{since = 4}> {keys_tensor = dense<[2]> : tensor<1xi32>, values_tensor = dense<[1.0]> : tensor<1xf64>} : (tensor<i32>) -> tensor<f64>
  return %r : tensor<f64>
}

// -----

// CHECK-LABEL: @labelencoder_4_type_stays
// CHECK: onnx.ml.LabelEncoder(
func.func @labelencoder_4_type_stays() -> tensor<1xi64> {
  %x0 = onnx.Constant dense<[1]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ml.LabelEncoder not folded: attributes 'keys_*' and 'values_*' are not one list each, of one length, with keys of the type of input #0}}
  %r = onnx.ml.LabelEncoder(%x0) <{since = 4}> {keys_floats = array<f32: 1.0>, values_int64s = array<i64: 1>} : (tensor<1xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: @labelencoder_4_two_lists_stay
// CHECK: onnx.ml.LabelEncoder(
func.func @labelencoder_4_two_lists_stay() -> tensor<*xi64> {
  %x0 = onnx.Constant dense<[1]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ml.LabelEncoder not folded: attributes 'keys_*' and 'values_*' are not one list each, of one length, with keys of the type of input #0}}
  %r = onnx.ml.LabelEncoder(%x0) <{since = 4}> {keys_int64s = array<i64: 1>, values_int64s = array<i64: 1>, values_floats = array<f32: 1.0>} : (tensor<1xi64>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}
