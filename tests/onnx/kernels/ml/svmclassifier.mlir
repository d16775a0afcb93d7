// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formulas of LIBSVM in Python's math, in double.

// CHECK-LABEL: @svmclassifier_two
// CHECK{LITERAL}: onnx.Constant dense<[5, 7]> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[-3.750000e-01, 3.750000e-01], [1.125000e+00, -1.125000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @svmclassifier_two() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {vectors_per_class = array<i64: 1, 1>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, -0.5>, rho = array<f32: 0.125>, classlabels_ints = array<i64: 5, 7>} : (tensor<2x2xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_two_logistic
// CHECK{LITERAL}: onnx.Constant dense<[5, 7]> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[0.407333404, 0.592666626], [7.549150e-01, 0.245085016]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @svmclassifier_two_logistic() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {vectors_per_class = array<i64: 1, 1>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, -0.5>, rho = array<f32: 0.125>, classlabels_ints = array<i64: 5, 7>, post_transform = "LOGISTIC"} : (tensor<2x2xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_two_softmax_stays
// CHECK: onnx.ml.SVMClassifier(
func.func @svmclassifier_two_softmax_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMClassifier not folded: the scores of two classes depend on the runtime for transforms other than LOGISTIC}}
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {vectors_per_class = array<i64: 1, 1>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, -0.5>, rho = array<f32: 0.125>, classlabels_ints = array<i64: 5, 7>, post_transform = "SOFTMAX"} : (tensor<2x2xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_two_without_negative_stays
// CHECK: onnx.ml.SVMClassifier(
func.func @svmclassifier_two_without_negative_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMClassifier not folded: which of two classes is chosen depends on the runtime where no coefficient is negative}}
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {vectors_per_class = array<i64: 1, 1>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0>, coefficients = array<f32: 0.25, 0.5>, rho = array<f32: 0.125>, classlabels_ints = array<i64: 5, 7>} : (tensor<2x2xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_three_pairs
// CHECK{LITERAL}: onnx.Constant dense<["a", "c"]> : tensor<2x!onnx.string>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[3.750000e-01, 6.250000e-01, 0.000000e+00], [-1.125000e+00, -3.750000e-01, -5.000000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @svmclassifier_three_pairs() -> (tensor<2x!onnx.string>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {vectors_per_class = array<i64: 1, 1, 1>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0, 0.5, 0.5>, coefficients = array<f32: 0.25, -0.5, 0.75, 0.5, -0.25, -0.125>, rho = array<f32: 0.125, -0.25, 0.0625>, classlabels_strings = ["a", "b", "c"]} : (tensor<2x2xf32>) -> (tensor<2x!onnx.string>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2x!onnx.string>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_three_probabilities
// CHECK{LITERAL}: onnx.Constant dense<["a", "c"]> : tensor<2x!onnx.string>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[0.324472457, 0.320868909, 0.354658663], [0.154129103, 0.417862326, 0.428008586]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @svmclassifier_three_probabilities() -> (tensor<2x!onnx.string>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {vectors_per_class = array<i64: 1, 1, 1>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0, 0.5, 0.5>, coefficients = array<f32: 0.25, -0.5, 0.75, 0.5, -0.25, -0.125>, rho = array<f32: 0.125, -0.25, 0.0625>, classlabels_strings = ["a", "b", "c"], prob_a = array<f32: -1.0, -0.5, -0.25>, prob_b = array<f32: 0.25, 0.5, 0.0>} : (tensor<2x2xf32>) -> (tensor<2x!onnx.string>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2x!onnx.string>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_linear
// CHECK{LITERAL}: onnx.Constant dense<[7, 9]> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[0.389024794, 0.499517739, 0.111457475], [0.0330243558, 0.115266323, 0.851709306]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @svmclassifier_linear() -> (tensor<2xi64>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {coefficients = array<f32: 0.25, -0.5, 0.5, 0.25, -1.0, 0.5>, rho = array<f32: 0.125>, classlabels_ints = array<i64: 5, 7, 9>, post_transform = "SOFTMAX"} : (tensor<2x2xf32>) -> (tensor<2xi64>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_linear_two_stays
// CHECK: onnx.ml.SVMClassifier(
func.func @svmclassifier_linear_two_stays() -> (tensor<1xi64>, tensor<1x2xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMClassifier not folded: which of two classes is chosen in row 0 depends on the runtime}}
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {coefficients = array<f32: 0.5, -0.5, 0.25, 0.25>, rho = array<f32: 0.125>, classlabels_ints = array<i64: 5, 7>} : (tensor<1x2xf32>) -> (tensor<1xi64>, tensor<1x2xf32>)
  return %r#0, %r#1 : tensor<1xi64>, tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_sizes_stay
// CHECK: onnx.ml.SVMClassifier(
func.func @svmclassifier_sizes_stay() -> (tensor<2x!onnx.string>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMClassifier not folded: attributes 'vectors_per_class', 'coefficients', 'rho', 'prob_a' and 'prob_b' are not of the sizes that 3 classes and 3 vectors need}}
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {vectors_per_class = array<i64: 1, 1, 1>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0, 0.5, 0.5>, coefficients = array<f32: 0.25, -0.5, 0.75, 0.5, -0.25, -0.125>, rho = array<f32: 0.125, -0.25>, classlabels_strings = ["a", "b", "c"]} : (tensor<2x2xf32>) -> (tensor<2x!onnx.string>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2x!onnx.string>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_negative_count_stays
// CHECK: onnx.ml.SVMClassifier(
func.func @svmclassifier_negative_count_stays() -> (tensor<2x!onnx.string>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMClassifier not folded: attribute 'vectors_per_class' is [9, -7, 1]}}
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {vectors_per_class = array<i64: 9, -7, 1>, support_vectors = array<f32: 1.0, 0.0, 0.0, 1.0, 0.5, 0.5>, coefficients = array<f32: 0.25, -0.5, 0.75, 0.5, -0.25, -0.125>, rho = array<f32: 0.125, -0.25, 0.0625>, classlabels_strings = ["a", "b", "c"]} : (tensor<2x2xf32>) -> (tensor<2x!onnx.string>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2x!onnx.string>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @svmclassifier_one_class_stays
// CHECK: onnx.ml.SVMClassifier(
func.func @svmclassifier_one_class_stays() -> (tensor<2xi64>, tensor<2x1xf32>) {
  %x0 = onnx.Constant dense<[[1.0, 0.0], [-1.0, 2.0]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.ml.SVMClassifier not folded: fewer than two classes, or no 'rho'}}
  %r:2 = onnx.ml.SVMClassifier(%x0) <{since = 1}> {coefficients = array<f32: 0.5, -0.5>, rho = array<f32: 0.125>, classlabels_ints = array<i64: 5>} : (tensor<2x2xf32>) -> (tensor<2xi64>, tensor<2x1xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x1xf32>
}
