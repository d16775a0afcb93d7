// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, and Python's math in double for transforms.

// CHECK-LABEL: @linearclassifier_largest_score
// CHECK{LITERAL}: onnx.Constant dense<[5, 7, 5]> : tensor<3xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[1.000000e+00, -5.000000e-01], [0.000000e+00, 5.000000e-01], [2.500000e-01, 2.500000e-01]]> : tensor<3x2xf32>
// CHECK-NEXT: return
func.func @linearclassifier_largest_score() -> (tensor<3xi64>, tensor<3x2xf32>) {
  %x0 = onnx.Constant dense<[[1.0], [0.0], [0.25]]> : tensor<3x1xf32>
  %r:2 = onnx.ml.LinearClassifier(%x0) <{since = 1}> {coefficients = array<f32: 1.0, -1.0>, intercepts = array<f32: 0.0, 0.5>, classlabels_ints = array<i64: 5, 7>} : (tensor<3x1xf32>) -> (tensor<3xi64>, tensor<3x2xf32>)
  return %r#0, %r#1 : tensor<3xi64>, tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @linearclassifier_one_score_stays
// CHECK: onnx.ml.LinearClassifier(
func.func @linearclassifier_one_score_stays() -> (tensor<1xi64>, tensor<1x2xf32>) {
  %x0 = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearClassifier not folded: one intercept for 2 classes, without LOGISTIC}}
  %r:2 = onnx.ml.LinearClassifier(%x0) <{since = 1}> {coefficients = array<f32: 1.0>, intercepts = array<f32: 0.0>, classlabels_ints = array<i64: 5, 7>} : (tensor<1x1xf32>) -> (tensor<1xi64>, tensor<1x2xf32>)
  return %r#0, %r#1 : tensor<1xi64>, tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @linearclassifier_no_intercepts_stays
// CHECK: onnx.ml.LinearClassifier(
func.func @linearclassifier_no_intercepts_stays() -> (tensor<1xi64>, tensor<*xf32>) {
  %x0 = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearClassifier not folded: without intercepts the number of scores is not defined}}
  %r:2 = onnx.ml.LinearClassifier(%x0) <{since = 1}> {coefficients = array<f32: 1.0, 2.0>, classlabels_ints = array<i64: 5, 7>} : (tensor<1x1xf32>) -> (tensor<1xi64>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<1xi64>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @linearclassifier_labels_stay
// CHECK: onnx.ml.LinearClassifier(
func.func @linearclassifier_labels_stay() -> (tensor<*x!onnx.string>, tensor<1x2xf32>) {
  %x0 = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearClassifier not folded: attributes 'classlabels_strings' and 'classlabels_ints': one of them is expected}}
  %r:2 = onnx.ml.LinearClassifier(%x0) <{since = 1}> {coefficients = array<f32: 1.0, 2.0>, intercepts = array<f32: 0.0, 0.5>, classlabels_ints = array<i64: 5, 7>, classlabels_strings = ["a", "b"]} : (tensor<1x1xf32>) -> (tensor<*x!onnx.string>, tensor<1x2xf32>)
  return %r#0, %r#1 : tensor<*x!onnx.string>, tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @linearclassifier_nan_stays
// CHECK: onnx.ml.LinearClassifier(
func.func @linearclassifier_nan_stays() -> (tensor<1xi64>, tensor<1x2xf32>) {
  %x0 = onnx.Constant dense<[[0x7FC00000]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearClassifier not folded: a score is NaN}}
  %r:2 = onnx.ml.LinearClassifier(%x0) <{since = 1}> {coefficients = array<f32: 1.0, -1.0>, intercepts = array<f32: 0.0, 0.5>, classlabels_ints = array<i64: 5, 7>} : (tensor<1x1xf32>) -> (tensor<1xi64>, tensor<1x2xf32>)
  return %r#0, %r#1 : tensor<1xi64>, tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @linearclassifier_order_of_transform_stays
// CHECK: onnx.ml.LinearClassifier(
func.func @linearclassifier_order_of_transform_stays() -> (tensor<1xi64>, tensor<1x2xf32>) {
  %x0 = onnx.Constant dense<[[0.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.LinearClassifier not folded: the largest score before the transform is not the largest after it}}
  %r:2 = onnx.ml.LinearClassifier(%x0) <{since = 1}> {coefficients = array<f32: 0.0, 0.0>, intercepts = array<f32: 0.0, -1.0>, classlabels_ints = array<i64: 5, 7>, post_transform = "SOFTMAX_ZERO"} : (tensor<1x1xf32>) -> (tensor<1xi64>, tensor<1x2xf32>)
  return %r#0, %r#1 : tensor<1xi64>, tensor<1x2xf32>
}
