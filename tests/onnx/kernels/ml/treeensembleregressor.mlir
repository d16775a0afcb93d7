// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @treeensembleregressor_sum
// CHECK{LITERAL}: onnx.Constant dense<[[9.500000e+00, -1.550000e+01], [-2.950000e+01, 6.800000e+01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_sum() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.0, 3.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0, 4, 4, 4>, nodes_nodeids = array<i64: 0, 1, 2, 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0, 1, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0, 2.0, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0, 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0, 2, 0, 0>, target_treeids = array<i64: 0, 0, 0, 0, 4, 4, 4, 4>, target_nodeids = array<i64: 1, 1, 2, 2, 1, 1, 2, 2>, target_ids = array<i64: 0, 1, 0, 1, 0, 1, 0, 1>, target_weights = array<f32: 1.0, 0.5, 2.0, 4.0, 8.0, -16.0, -32.0, 64.0>, n_targets = 2 : i64, aggregate_function = "SUM", base_values = array<f32: 0.5, 0.0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_average
// CHECK{LITERAL}: onnx.Constant dense<[[5.000000e+00, -7.750000e+00], [-1.450000e+01, 3.400000e+01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_average() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.0, 3.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0, 4, 4, 4>, nodes_nodeids = array<i64: 0, 1, 2, 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0, 1, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0, 2.0, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0, 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0, 2, 0, 0>, target_treeids = array<i64: 0, 0, 0, 0, 4, 4, 4, 4>, target_nodeids = array<i64: 1, 1, 2, 2, 1, 1, 2, 2>, target_ids = array<i64: 0, 1, 0, 1, 0, 1, 0, 1>, target_weights = array<f32: 1.0, 0.5, 2.0, 4.0, 8.0, -16.0, -32.0, 64.0>, n_targets = 2 : i64, aggregate_function = "AVERAGE", base_values = array<f32: 0.5, 0.0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_min
// CHECK{LITERAL}: onnx.Constant dense<[[1.500000e+00, -1.600000e+01], [-3.150000e+01, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_min() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.0, 3.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0, 4, 4, 4>, nodes_nodeids = array<i64: 0, 1, 2, 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0, 1, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0, 2.0, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0, 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0, 2, 0, 0>, target_treeids = array<i64: 0, 0, 0, 0, 4, 4, 4, 4>, target_nodeids = array<i64: 1, 1, 2, 2, 1, 1, 2, 2>, target_ids = array<i64: 0, 1, 0, 1, 0, 1, 0, 1>, target_weights = array<f32: 1.0, 0.5, 2.0, 4.0, 8.0, -16.0, -32.0, 64.0>, n_targets = 2 : i64, aggregate_function = "MIN", base_values = array<f32: 0.5, 0.0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_max
// CHECK{LITERAL}: onnx.Constant dense<[[8.500000e+00, 5.000000e-01], [2.500000e+00, 6.400000e+01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_max() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.0, 3.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0, 4, 4, 4>, nodes_nodeids = array<i64: 0, 1, 2, 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0, 1, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0, 2.0, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0, 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0, 2, 0, 0>, target_treeids = array<i64: 0, 0, 0, 0, 4, 4, 4, 4>, target_nodeids = array<i64: 1, 1, 2, 2, 1, 1, 2, 2>, target_ids = array<i64: 0, 1, 0, 1, 0, 1, 0, 1>, target_weights = array<f32: 1.0, 0.5, 2.0, 4.0, 8.0, -16.0, -32.0, 64.0>, n_targets = 2 : i64, aggregate_function = "MAX", base_values = array<f32: 0.5, 0.0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_logistic
// CHECK{LITERAL}: onnx.Constant dense<[[0.562176526, 0.268941432], [0.679178714, 5.000000e-01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_logistic() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0, 0>, target_nodeids = array<i64: 1, 1, 2>, target_ids = array<i64: 0, 1, 0>, target_weights = array<f32: 0.25, -1.0, 0.75>, n_targets = 2 : i64, post_transform = "LOGISTIC"} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_lists_held_as_tensors
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [7.500000e-01]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_lists_held_as_tensors() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = dense<0> : tensor<3xi64>, nodes_nodeids = dense<[0, 1, 2]> : tensor<3xi64>, nodes_featureids = dense<0> : tensor<3xi64>, nodes_values = dense<[0.5, 0.0, 0.0]> : tensor<3xf32>, nodes_modes = dense<["BRANCH_LEQ", "LEAF", "LEAF"]> : tensor<3x!onnx.string>, nodes_truenodeids = dense<[1, 0, 0]> : tensor<3xi64>, nodes_falsenodeids = dense<[2, 0, 0]> : tensor<3xi64>, target_treeids = dense<0> : tensor<2xi64>, target_nodeids = dense<[1, 2]> : tensor<2xi64>, target_ids = dense<0> : tensor<2xi64>, target_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_tensors_of_doubles
// CHECK{LITERAL}: onnx.Constant dense<[[2.000000e+00], [1.000100e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_tensors_of_doubles() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.1], [0.09999999999999]]> : tensor<2x1xf64>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values_as_tensor = dense<[0.1, 0.0, 0.0]> : tensor<3xf64>, nodes_modes = ["BRANCH_LT", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights_as_tensor = dense<[0.0001, 1.0]> : tensor<2xf64>, n_targets = 1 : i64, base_values_as_tensor = dense<[1.0]> : tensor<1xf64>} : (tensor<2x1xf64>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_missing
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [7.500000e-01]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_missing() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0x7FC00000], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, nodes_missing_value_tracks_true = array<i64: 1, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_missing_by_default
// CHECK{LITERAL}: onnx.Constant dense<[[7.500000e-01], [2.500000e-01]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_missing_by_default() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0x7FC00000], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_GT", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_root_is_a_leaf
// CHECK{LITERAL}: onnx.Constant dense<5.000000e-01> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_root_is_a_leaf() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0>, nodes_nodeids = array<i64: 0>, nodes_featureids = array<i64: 9>, nodes_values = array<f32: 0.0>, nodes_modes = ["LEAF"], nodes_truenodeids = array<i64: 0>, nodes_falsenodeids = array<i64: 0>, target_treeids = array<i64: 0>, target_nodeids = array<i64: 0>, target_ids = array<i64: 0>, target_weights = array<f32: 0.5>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_no_votes
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [0.000000e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_no_votes() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0>, target_nodeids = array<i64: 1>, target_ids = array<i64: 0>, target_weights = array<f32: 0.25>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_min_of_nothing_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_min_of_nothing_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: a row gives a target no vote}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0>, target_nodeids = array<i64: 1>, target_ids = array<i64: 0>, target_weights = array<f32: 0.25>, n_targets = 1 : i64, aggregate_function = "MIN"} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_nan_neq_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_nan_neq_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0x7FC00000], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: a NaN meets BRANCH_NEQ}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_NEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_nan_neq_tracked
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [7.500000e-01]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensembleregressor_nan_neq_tracked() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0x7FC00000], [0.5]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_NEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, nodes_missing_value_tracks_true = array<i64: 1, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_transform_of_one_score_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_transform_of_one_score_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: runtimes do not transform a single score}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64, post_transform = "LOGISTIC"} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_cycle_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_cycle_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: a node of a tree stands below itself}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "BRANCH_LEQ", "BRANCH_LEQ"], nodes_truenodeids = array<i64: 1, 2, 1>, nodes_falsenodeids = array<i64: 1, 2, 1>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_self_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_self_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: a node of a tree stands below itself}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0>, nodes_nodeids = array<i64: 0, 1>, nodes_featureids = array<i64: 0, 0>, nodes_values = array<f32: 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "BRANCH_LEQ"], nodes_truenodeids = array<i64: 1, 1>, nodes_falsenodeids = array<i64: 1, 1>, target_treeids = array<i64: 0>, target_nodeids = array<i64: 1>, target_ids = array<i64: 0>, target_weights = array<f32: 0.5>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_root_below_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_root_below_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: node 0 is the first of its tree and stands below another}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 0, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_child_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_child_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: node 0 has mode 'BRANCH_LEQ' and leads to nodes 7 and 2 of its tree, one of which there is not}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 7, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_mode_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_mode_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: node 0 has mode 'BRANCH_MEMBER' and leads to nodes 1 and 2 of its tree, one of which there is not}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_MEMBER", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_feature_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_feature_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: node 0 asks for feature 1 of 1}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 1, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_negative_feature_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_negative_feature_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: node 0 asks for feature -1 of 1}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: -1, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_target_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_target_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: a leaf votes for target 1 of 1}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0>, target_nodeids = array<i64: 1>, target_ids = array<i64: 1>, target_weights = array<f32: 0.25>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_voter_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_voter_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: there is no node 3 of tree 0 to vote}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0>, target_nodeids = array<i64: 3>, target_ids = array<i64: 0>, target_weights = array<f32: 0.25>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_repeated_id_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_repeated_id_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: two nodes of a tree have one id}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 1>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_lengths_stay
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_lengths_stay() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: attributes 'nodes_*' have 3 and 2 elements, expected one length}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_weights_stay
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_weights_stay() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: attributes 'target_*' have 2 and 1 elements, expected one length}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_two_lists_stay
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_two_lists_stay() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: attributes 'nodes_values' and 'target_weights' are given twice, or are not floats}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64, nodes_values_as_tensor = dense<[0.5, 0.0, 0.0]> : tensor<3xf64>} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_base_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_base_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: attributes 'aggregate_function' ('SUM'), 'n_targets' (1) or 'base_values' are wrong}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64, base_values = array<f32: 0.5, 1.0>} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_huge_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_huge_stays() -> tensor<*xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: the result has shape [2, 9223372036854775807], more than 1073741824 bytes}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 9223372036854775807 : i64} : (tensor<2x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_vector_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_vector_stays() -> tensor<*xf32> {
  %x0 = onnx.Constant dense<[0.5]> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: input #0 has shape [1] and type f32, expected rows of features}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.25, 0.75>, n_targets = 1 : i64} : (tensor<1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// Both were counted.
// CHECK-LABEL: @treeensembleregressor_two_votes_for_a_target_stay
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_two_votes_for_a_target_stay() -> tensor<2x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: a leaf has several votes for the target, of which ONNX Runtime counts the first}}
  %r = onnx.ml.TreeEnsembleRegressor(%x) <{since = 3}> {nodes_treeids = array<i64: 0>, nodes_nodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_values = array<f32: 0.0>, nodes_modes = ["LEAF"], nodes_truenodeids = array<i64: 0>, nodes_falsenodeids = array<i64: 0>, target_treeids = array<i64: 0, 0>, target_nodeids = array<i64: 0, 0>, target_ids = array<i64: 0, 0>, target_weights = array<f32: 0.5, 0.25>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensembleregressor_base_without_vote_stays
// CHECK: onnx.ml.TreeEnsembleRegressor(
func.func @treeensembleregressor_base_without_vote_stays() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsembleRegressor not folded: a row gives a target no vote, whose base value ONNX Runtime drops}}
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0, 0>, target_nodeids = array<i64: 1, 1, 2>, target_ids = array<i64: 0, 1, 0>, target_weights = array<f32: 1.0, 0.5, 2.0>, n_targets = 2 : i64, base_values = array<f32: 0.5, 4.0>} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// No row reaches the leaf that does not vote for target 1.
// CHECK-LABEL: @treeensembleregressor_base_with_votes
// CHECK{LITERAL}: onnx.Constant dense<[[1.500000e+00, 4.500000e+00]]> : tensor<1x2xf32>
func.func @treeensembleregressor_base_with_votes() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[0.0]]> : tensor<1x1xf32>
  %r = onnx.ml.TreeEnsembleRegressor(%x0) <{since = 3}> {nodes_treeids = array<i64: 0, 0, 0>, nodes_nodeids = array<i64: 0, 1, 2>, nodes_featureids = array<i64: 0, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids = array<i64: 1, 0, 0>, nodes_falsenodeids = array<i64: 2, 0, 0>, target_treeids = array<i64: 0, 0, 0>, target_nodeids = array<i64: 1, 1, 2>, target_ids = array<i64: 0, 1, 0>, target_weights = array<f32: 1.0, 0.5, 2.0>, n_targets = 2 : i64, base_values = array<f32: 0.5, 4.0>} : (tensor<1x1xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}
