// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, and Python's math in double for transforms.

// CHECK-LABEL: @treeensembleclassifier_three
// CHECK{LITERAL}: onnx.Constant dense<[5, 9]> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[7.500000e-01, 2.500000e-01, 0.000000e+00], [0.000000e+00, 2.500000e-01, 5.000000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @treeensembleclassifier_three() -> (tensor<2xi64>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0, 0, 0>, class_nodeids = array<i64: 1, 1, 2, 2>, class_ids = array<i64: 0, 1, 2, 1>, class_weights = array<f32: 0.75, 0.25, 0.5, 0.25>, classlabels_int64s = array<i64: 5, 7, 9>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_three_softmax_base_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_three_softmax_base_stays() -> (tensor<2x!onnx.string>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: a row gives a class no vote, and ONNX Runtime chooses among the others}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0, 0, 0>, class_nodeids = array<i64: 1, 1, 2, 2>, class_ids = array<i64: 0, 1, 2, 1>, class_weights = array<f32: 0.75, 0.25, 0.5, 0.25>, classlabels_strings = ["a", "b", "c"], post_transform = "SOFTMAX", base_values = array<f32: 0.0, 1.0, 0.0>} : (tensor<2x1xf32>) -> (tensor<2x!onnx.string>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2x!onnx.string>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_1_f64
// CHECK{LITERAL}: onnx.Constant dense<[5, 9]> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[7.500000e-01, 2.500000e-01, 0.000000e+00], [0.000000e+00, 2.500000e-01, 5.000000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @treeensembleclassifier_1_f64() -> (tensor<2xi64>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf64>
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 1}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0, 0, 0>, class_nodeids = array<i64: 1, 1, 2, 2>, class_ids = array<i64: 0, 1, 2, 1>, class_weights = array<f32: 0.75, 0.25, 0.5, 0.25>, classlabels_int64s = array<i64: 5, 7, 9>} : (tensor<2x1xf64>) -> (tensor<2xi64>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_5
// CHECK{LITERAL}: onnx.Constant dense<[5, 9]> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[7.500000e-01, 2.500000e-01, 0.000000e+00], [0.000000e+00, 2.500000e-01, 5.000000e-01]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @treeensembleclassifier_5() -> (tensor<2xi64>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 5}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0, 0, 0>, class_nodeids = array<i64: 1, 1, 2, 2>, class_ids = array<i64: 0, 1, 2, 1>, class_weights = array<f32: 0.75, 0.25, 0.5, 0.25>, classlabels_int64s = array<i64: 5, 7, 9>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_two_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_two_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: there are votes for both of two classes, where ONNX Runtime chooses by the second alone}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0, 0, 0>, class_nodeids = array<i64: 1, 1, 2, 2>, class_ids = array<i64: 0, 1, 0, 1>, class_weights = array<f32: 0.75, 0.25, 0.25, 0.625>, classlabels_int64s = array<i64: 5, 7>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_top_without_votes_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_top_without_votes_stays() -> (tensor<2xi64>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: a row gives a class no vote, and ONNX Runtime chooses among the others}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 0>, class_weights = array<f32: -0.75, 0.25>, classlabels_int64s = array<i64: 5, 7, 9>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_votes_for_the_first
// CHECK{LITERAL}: onnx.Constant dense<[5, 7]> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[7.500000e-01, 2.500000e-01], [2.500000e-01, 7.500000e-01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensembleclassifier_votes_for_the_first() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 0>, class_weights = array<f32: 0.25, 0.75>, classlabels_int64s = array<i64: 5, 7>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_votes_for_the_first_base
// CHECK{LITERAL}: onnx.Constant dense<7> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[2.500000e-01, 7.500000e-01], [-2.500000e-01, 1.250000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensembleclassifier_votes_for_the_first_base() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 0>, class_weights = array<f32: 0.25, 0.75>, classlabels_int64s = array<i64: 5, 7>, base_values = array<f32: 0.5>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_votes_for_the_first_logistic
// CHECK{LITERAL}: onnx.Constant dense<[5, 7]> : tensor<2xi64>
// CHECK-NEXT{LITERAL}: onnx.Constant dense<[[0.562176526, 0.437823504], [0.320821315, 0.679178714]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensembleclassifier_votes_for_the_first_logistic() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 0>, class_weights = array<f32: -0.25, 0.75>, classlabels_int64s = array<i64: 5, 7>, post_transform = "LOGISTIC"} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_votes_for_the_first_negative_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_votes_for_the_first_negative_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: the meaning of votes for one of two classes is not specified}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 0>, class_weights = array<f32: -0.25, 0.75>, classlabels_int64s = array<i64: 5, 7>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_votes_for_the_first_softmax_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_votes_for_the_first_softmax_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: the meaning of votes for one of two classes is not specified}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 0>, class_weights = array<f32: 0.25, 0.75>, classlabels_int64s = array<i64: 5, 7>, post_transform = "SOFTMAX"} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_votes_for_the_first_between_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_votes_for_the_first_between_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: which of two classes is chosen in row 0 is not said}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 0>, class_weights = array<f32: 0.25, 0.75>, classlabels_int64s = array<i64: 5, 7>, post_transform = "LOGISTIC"} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_votes_for_the_second_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_votes_for_the_second_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: the meaning of votes for 2 classes is not specified}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 1, 1>, class_weights = array<f32: 0.25, 0.75>, classlabels_int64s = array<i64: 5, 7>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_one_class_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_one_class_stays() -> (tensor<2xi64>, tensor<2x1xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: the meaning of votes for 1 classes is not specified}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0>, class_nodeids = array<i64: 1, 2>, class_ids = array<i64: 0, 0>, class_weights = array<f32: 0.25, 0.75>, classlabels_int64s = array<i64: 5>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x1xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_base_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_base_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: attribute 'base_values' is not one for each class that has votes}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0, 0, 0>, class_nodeids = array<i64: 1, 1, 2, 2>, class_ids = array<i64: 0, 1, 0, 1>, class_weights = array<f32: 0.75, 0.25, 0.25, 0.625>, classlabels_int64s = array<i64: 5, 7>, base_values = array<f32: 0.5>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_class_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_class_stays() -> (tensor<2xi64>, tensor<2x2xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: a leaf votes for target 2 of 2}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, class_treeids = array<i64: 0, 0, 0, 0>, class_nodeids = array<i64: 1, 1, 2, 2>, class_ids = array<i64: 0, 1, 2, 1>, class_weights = array<f32: 0.75, 0.25, 0.5, 0.25>, classlabels_int64s = array<i64: 5, 7>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleclassifier_cycle_stays
// CHECK: onnx.ml.TreeEnsembleClassifier(
func.func @treeensembleclassifier_cycle_stays() -> (tensor<2xi64>, tensor<2x3xf32>) {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleClassifier not folded: a node of a tree stands below itself}}
  %r:2 = onnx.ml.TreeEnsembleClassifier(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "BRANCH_LEQ", "BRANCH_LEQ"], nodes_truenodeids = array<i64: 1, 2, 1>, nodes_falsenodeids = array<i64: 1, 2, 1>, class_treeids = array<i64: 0, 0, 0, 0>, class_nodeids = array<i64: 1, 1, 2, 2>, class_ids = array<i64: 0, 1, 2, 1>, class_weights = array<f32: 0.75, 0.25, 0.5, 0.25>, classlabels_int64s = array<i64: 5, 7, 9>} : (tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2x3xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x3xf32>
}
