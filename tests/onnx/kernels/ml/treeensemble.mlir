// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, and Python's math in double for transforms.

// CHECK-LABEL: @treeensemble_mode_0
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [2.500000e-01], [7.500000e-01]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_mode_0() -> tensor<3x1xf32> {
  %x0 = onnx.Constant dense<[[0.0], [0.5], [1.0]]> : tensor<3x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_mode_1
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [7.500000e-01], [7.500000e-01]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_mode_1() -> tensor<3x1xf32> {
  %x0 = onnx.Constant dense<[[0.0], [0.5], [1.0]]> : tensor<3x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[1]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_mode_2
// CHECK{LITERAL}: onnx.Constant dense<[[7.500000e-01], [2.500000e-01], [2.500000e-01]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_mode_2() -> tensor<3x1xf32> {
  %x0 = onnx.Constant dense<[[0.0], [0.5], [1.0]]> : tensor<3x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[2]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_mode_3
// CHECK{LITERAL}: onnx.Constant dense<[[7.500000e-01], [7.500000e-01], [2.500000e-01]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_mode_3() -> tensor<3x1xf32> {
  %x0 = onnx.Constant dense<[[0.0], [0.5], [1.0]]> : tensor<3x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[3]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_mode_4
// CHECK{LITERAL}: onnx.Constant dense<[[7.500000e-01], [2.500000e-01], [7.500000e-01]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_mode_4() -> tensor<3x1xf32> {
  %x0 = onnx.Constant dense<[[0.0], [0.5], [1.0]]> : tensor<3x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[4]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_mode_5
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [7.500000e-01], [2.500000e-01]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_mode_5() -> tensor<3x1xf32> {
  %x0 = onnx.Constant dense<[[0.0], [0.5], [1.0]]> : tensor<3x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[5]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_f16
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [7.500000e-01]]> : tensor<2x1xf16>
// CHECK-NEXT: return
func.func @treeensemble_f16() -> tensor<2x1xf16> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf16>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf16>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf16>, n_targets = 1 : i64} : (tensor<2x1xf16>) -> tensor<2x1xf16>
  return %r : tensor<2x1xf16>
}

// -----

// CHECK-LABEL: @treeensemble_f64
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [7.500000e-01]]> : tensor<2x1xf64>
// CHECK-NEXT: return
func.func @treeensemble_f64() -> tensor<2x1xf64> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf64>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf64>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf64>, n_targets = 1 : i64} : (tensor<2x1xf64>) -> tensor<2x1xf64>
  return %r : tensor<2x1xf64>
}

// -----

// CHECK-LABEL: @treeensemble_inner_nodes
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 4.000000e+00], [1.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @treeensemble_inner_nodes() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0, 0>, nodes_splits = dense<[0.5, 2.0]> : tensor<2xf32>, nodes_modes = dense<[0, 4]> : tensor<2xui8>, nodes_truenodeids = array<i64: 1, 1>, nodes_trueleafs = array<i64: 0, 1>, nodes_falsenodeids = array<i64: 0, 2>, nodes_falseleafs = array<i64: 1, 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 1, 1>, leaf_weights = dense<[1.0, 2.0, 4.0]> : tensor<3xf32>, n_targets = 2 : i64} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensemble_member_with_0
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01], [7.500000e-01]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_member_with_0() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.0]> : tensor<1xf32>, nodes_modes = dense<[6]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64, membership_values = dense<[0.0, 3.0, 0x7FC00000]> : tensor<3xf32>} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_member_sets_in_order_of_nodes
// CHECK{LITERAL}: onnx.Constant dense<[[9.000000e+00], [6.000000e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_member_sets_in_order_of_nodes() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0, 0>, nodes_splits = dense<[0.0, 0.0]> : tensor<2xf32>, nodes_modes = dense<[6, 6]> : tensor<2xui8>, nodes_truenodeids = array<i64: 0, 2>, nodes_trueleafs = array<i64: 1, 1>, nodes_falsenodeids = array<i64: 1, 3>, nodes_falseleafs = array<i64: 1, 1>, tree_roots = array<i64: 1, 0>, leaf_targetids = array<i64: 0, 0, 0, 0>, leaf_weights = dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>, n_targets = 1 : i64, membership_values = dense<[1.0, 0x7FC00000, 2.0, 0x7FC00000]> : tensor<4xf32>} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_one_leaf_asks_for_no_feature
// CHECK{LITERAL}: onnx.Constant dense<7.500000e-01> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_one_leaf_asks_for_no_feature() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 77>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 1>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_sum_of_two_trees
// CHECK{LITERAL}: onnx.Constant dense<[[5.000000e-01], [1.500000e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @treeensemble_sum_of_two_trees() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0, 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_max_of_nothing_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_max_of_nothing_stays() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: a row gives a target no vote}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0, 0>, nodes_splits = dense<[0.5, 2.0]> : tensor<2xf32>, nodes_modes = dense<[0, 4]> : tensor<2xui8>, nodes_truenodeids = array<i64: 1, 1>, nodes_trueleafs = array<i64: 0, 1>, nodes_falsenodeids = array<i64: 0, 2>, nodes_falseleafs = array<i64: 1, 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 1, 1>, leaf_weights = dense<[1.0, 2.0, 4.0]> : tensor<3xf32>, n_targets = 2 : i64, aggregate_function = 3 : i64} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @treeensemble_no_targets_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_no_targets_stays() -> tensor<2x?xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: attribute 'n_targets' is missing}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>} : (tensor<2x1xf32>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: @treeensemble_cycle_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_cycle_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: a node of a tree stands below itself}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 0>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_leaf_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_leaf_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: node 0 has mode 0 and leads to 0 and 2, which is outside}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 2>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_node_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_node_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: node 0 has mode 0 and leads to -1 and 1, which is outside}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: -1>, nodes_trueleafs = array<i64: 0>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_mode_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_mode_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: node 0 has mode 7 and leads to 0 and 1, which is outside}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[7]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_root_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_root_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: attributes 'leaf_*' are not lists of one length, or a root is not a node}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 1>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_member_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_member_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: attribute 'membership_values' does not have a set for each node of mode BRANCH_MEMBER}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[6]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_feature_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_feature_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: node 0 asks for feature 1 of 1}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 1>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_target_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_target_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: a leaf votes for target -1 of 1}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, -1>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_lengths_stay
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_lengths_stay() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: attributes 'nodes_*' are not lists of one length}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1, 0>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_transform_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_transform_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: attribute 'aggregate_function' is 1, 'post_transform' 5 for input #0 of f32}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64, post_transform = 5 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @treeensemble_huge_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_huge_stays() -> tensor<*xf32> {
  %x0 = onnx.Constant dense<[[0.5], [1.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: the result has shape [2, 9223372036854775807], more than 1073741824 bytes}}
  %r = onnx.ml.TreeEnsemble(%x0) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 9223372036854775807 : i64} : (tensor<2x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// It was LOGISTIC as in the text, which ONNX Runtime takes for SOFTMAX.
// CHECK-LABEL: @treeensemble_logistic_stays
// CHECK: onnx.ml.TreeEnsemble(
func.func @treeensemble_logistic_stays() -> tensor<3x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<3x1xf32>
  // expected-remark @+1 {{onnx.ml.TreeEnsemble not folded: attribute 'post_transform' is 2, of which ONNX Runtime makes another transform}}
  %r = onnx.ml.TreeEnsemble(%x) <{since = 5}> {nodes_featureids = array<i64: 0>, nodes_splits = dense<[0.5]> : tensor<1xf32>, nodes_modes = dense<[0]> : tensor<1xui8>, nodes_truenodeids = array<i64: 0>, nodes_trueleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_falseleafs = array<i64: 1>, tree_roots = array<i64: 0>, leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[0.25, 0.75]> : tensor<2xf32>, n_targets = 1 : i64, post_transform = 2 : i64} : (tensor<3x1xf32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}
