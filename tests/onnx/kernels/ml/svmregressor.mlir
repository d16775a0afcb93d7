// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formulas of LIBSVM in Python's math, in double.

// CHECK-LABEL: @svmregressor_linear
// CHECK{LITERAL}: onnx.Constant dense<[[3.750000e-01], [8.750000e-01]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @svmregressor_linear() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, n_supports = 2 : i64, kernel_type = "LINEAR", kernel_params = array<f32: 0.5, 1.0, 2.0>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_poly
// CHECK{LITERAL}: onnx.Constant dense<[[1.187500e+00], [2.187500e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @svmregressor_poly() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, n_supports = 2 : i64, kernel_type = "POLY", kernel_params = array<f32: 0.5, 1.0, 2.0>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_rbf
// CHECK{LITERAL}: onnx.Constant dense<[[0.558939695], [0.313518643]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @svmregressor_rbf() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, n_supports = 2 : i64, kernel_type = "RBF", kernel_params = array<f32: 0.5, 1.0, 2.0>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_sigmoid
// CHECK{LITERAL}: onnx.Constant dense<[[0.732084155], [0.72254306]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @svmregressor_sigmoid() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, n_supports = 2 : i64, kernel_type = "SIGMOID", kernel_params = array<f32: 0.5, 1.0, 2.0>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_without_vectors
// CHECK{LITERAL}: onnx.Constant dense<1.375000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @svmregressor_without_vectors() -> tensor<1x1xf32> {
  %x0 = onnx.Constant dense<[[1, 2]]> : tensor<1x2xi64>
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, kernel_type = "RBF"} : (tensor<1x2xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_one_class
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00], [-1.000000e+00], [-1.000000e+00]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @svmregressor_one_class() -> tensor<3x1xf32> {
  %x0 = onnx.Constant dense<[[1.0], [-1.0], [0.0]]> : tensor<3x1xf64>
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {coefficients = array<f32: 1.0>, rho = array<f32: 0.0>, one_class = 1 : i64} : (tensor<3x1xf64>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_degree_stays
// CHECK: onnx.ml.SVMRegressor(
func.func @svmregressor_degree_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMRegressor not folded: the degree of the polynomial is not a whole number}}
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, n_supports = 2 : i64, kernel_type = "POLY", kernel_params = array<f32: 0.5, 1.0, 2.5>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_transform_stays
// CHECK: onnx.ml.SVMRegressor(
func.func @svmregressor_transform_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMRegressor not folded: runtimes do not transform a single score}}
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, n_supports = 2 : i64, post_transform = "LOGISTIC"} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_rho_stays
// CHECK: onnx.ml.SVMRegressor(
func.func @svmregressor_rho_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMRegressor not folded: attribute 'rho' is missing}}
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {coefficients = array<f32: 0.25, 0.5>} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_vectors_stay
// CHECK: onnx.ml.SVMRegressor(
func.func @svmregressor_vectors_stay() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMRegressor not folded: 3 coefficients for 2 vectors of 2 features}}
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, n_supports = 2 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_coefficients_stay
// CHECK: onnx.ml.SVMRegressor(
func.func @svmregressor_coefficients_stay() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMRegressor not folded: 1 coefficients for 2 support vectors}}
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25>, rho = array<f32: 0.125>, n_supports = 2 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_huge_stays
// CHECK: onnx.ml.SVMRegressor(
func.func @svmregressor_huge_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMRegressor not folded: the result has shape [2, 9223372036854775807], more than 1073741824 bytes}}
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0>, rho = array<f32: 0.125>, n_supports = 9223372036854775807 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @svmregressor_kernel_stays
// CHECK: onnx.ml.SVMRegressor(
func.func @svmregressor_kernel_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMRegressor not folded: attribute 'kernel_type' is 'COSINE', expected LINEAR, POLY, RBF or SIGMOID}}
  %r = onnx.ml.SVMRegressor(%x0) <{since = 1}> {support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, n_supports = 2 : i64, kernel_type = "COSINE"} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}
