// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, and Python's math in double for transforms.

// CHECK-LABEL: @linearregressor_logistic
// CHECK{LITERAL}: onnx.Constant dense<[[0.731058597, 0.622459352], [0.119202919, 0.268941432]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @linearregressor_logistic() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.0], [-2.0]]> : tensor<2x1xf32>
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0, 0.5>, targets = 2 : i64, post_transform = "LOGISTIC"} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @linearregressor_softmax
// CHECK{LITERAL}: onnx.Constant dense<[[0.622459352, 0.377540678], [0.268941432, 0.731058597]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @linearregressor_softmax() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.0], [-2.0]]> : tensor<2x1xf32>
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0, 0.5>, targets = 2 : i64, post_transform = "SOFTMAX"} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @linearregressor_softmax_zero
// CHECK{LITERAL}: onnx.Constant dense<[[0.268941432, 0.000000e+00, 0.731058597]]> : tensor<1x3xf32>
// CHECK-NEXT: return
func.func @linearregressor_softmax_zero() -> tensor<1x3xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0, 2.0]]> : tensor<1x3xf32>
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0>, targets = 3 : i64, post_transform = "SOFTMAX_ZERO"} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

// CHECK-LABEL: @linearregressor_probit
// CHECK{LITERAL}: onnx.Constant dense<[[-0.674574256], [0.000000e+00], [1.15053546]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @linearregressor_probit() -> tensor<3x1xf32> {
  %x0 = onnx.Constant dense<[[0.25], [0.5], [0.875]]> : tensor<3x1xf32>
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0>, post_transform = "PROBIT"} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @linearregressor_probit_of_1_stays
// CHECK: onnx.ml.LinearRegressor(
func.func @linearregressor_probit_of_1_stays() -> tensor<1x1xf32> {
  %x0 = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearRegressor not folded: PROBIT of a score outside of (0, 1) in row 0}}
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0>, post_transform = "PROBIT"} : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @linearregressor_softmax_zero_of_zeros_stays
// CHECK: onnx.ml.LinearRegressor(
func.func @linearregressor_softmax_zero_of_zeros_stays() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.0], [0.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearRegressor not folded: SOFTMAX_ZERO of zeros in row 1}}
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0, 2.0>, targets = 2 : i64, post_transform = "SOFTMAX_ZERO"} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @linearregressor_transform_of_one_score_stays
// CHECK: onnx.ml.LinearRegressor(
func.func @linearregressor_transform_of_one_score_stays() -> tensor<1x1xf32> {
  %x0 = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearRegressor not folded: runtimes do not transform a single score}}
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0>, post_transform = "LOGISTIC"} : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @linearregressor_sizes_stay
// CHECK: onnx.ml.LinearRegressor(
func.func @linearregressor_sizes_stay() -> tensor<1x1xf32> {
  %x0 = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearRegressor not folded: attributes 'coefficients' and 'intercepts' are not those of 1 scores of 1 features}}
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0, 2.0>} : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @linearregressor_huge_stays
// CHECK: onnx.ml.LinearRegressor(
func.func @linearregressor_huge_stays() -> tensor<*xf32> {
  %x0 = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearRegressor not folded: the result has shape [1, 9223372036854775807], more than 1073741824 bytes}}
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0>, targets = 9223372036854775807 : i64} : (tensor<1x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @linearregressor_transform_name_stays
// CHECK: onnx.ml.LinearRegressor(
func.func @linearregressor_transform_name_stays() -> tensor<1x1xf32> {
  %x0 = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearRegressor not folded: attribute 'post_transform' is 'TANH', expected NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO, PROBIT}}
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0>, post_transform = "TANH"} : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @linearregressor_rank_stays
// CHECK: onnx.ml.LinearRegressor(
func.func @linearregressor_rank_stays() -> tensor<1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.0]]]> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearRegressor not folded: input #0 has shape [1, 1, 1] and type f32, expected rows of features}}
  %r = onnx.ml.LinearRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0>} : (tensor<1x1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
