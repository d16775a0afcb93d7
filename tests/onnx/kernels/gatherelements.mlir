// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.take_along_axis; by hand where the indices have fewer rows.

// result[i][j] = x[indices[i][j]][j]
// CHECK-LABEL: @gatherelements_fewer_columns
// CHECK{LITERAL}: onnx.Constant dense<[[3.000000e+00], [0.000000e+00], [3.000000e+00]]> : tensor<3x1xf32>
// CHECK-NEXT: return
func.func @gatherelements_fewer_columns() -> tensor<3x1xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[[1], [0], [1]]> : tensor<3x1xi64>
  %r = onnx.GatherElements(%x, %y) <{since = 13}> {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3x1xi64>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @gatherelements_no_index
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @gatherelements_no_index() -> tensor<0xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.GatherElements(%x, %y) <{since = 13}> : (tensor<3xf32>, tensor<0xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @gatherelements_beyond_stays
// CHECK: onnx.GatherElements(
func.func @gatherelements_beyond_stays() -> tensor<1xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.GatherElements not folded: index [0] is 3, the dimension is 3}}
  %r = onnx.GatherElements(%x, %y) <{since = 13}> : (tensor<3xf32>, tensor<1xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gatherelements_below_stays
// CHECK: onnx.GatherElements(
func.func @gatherelements_below_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[[0, 0], [0, -3]]> : tensor<2x2xi64>
  // expected-remark @+1 {{onnx.GatherElements not folded: index [1, 1] is -3, the dimension is 2}}
  %r = onnx.GatherElements(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @gatherelements_rank_stays
// CHECK: onnx.GatherElements(
func.func @gatherelements_rank_stays() -> tensor<1xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.GatherElements not folded: the indices have shape [1], more than [2, 2] beside axis 0}}
  %r = onnx.GatherElements(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gatherelements_wider_stays
// CHECK: onnx.GatherElements(
func.func @gatherelements_wider_stays() -> tensor<1x3xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<0> : tensor<1x3xi64>
  // expected-remark @+1 {{onnx.GatherElements not folded: the indices have shape [1, 3], more than [2, 2] beside axis 0}}
  %r = onnx.GatherElements(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<1x3xi64>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

// CHECK-LABEL: @gatherelements_rank_0_stays
// CHECK: onnx.GatherElements(
func.func @gatherelements_rank_0_stays() -> tensor<f32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.GatherElements not folded: attribute 'axis' is 0, the rank is 0}}
  %r = onnx.GatherElements(%x, %y) <{since = 13}> : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// (d, 3)[1, 1].
// CHECK-LABEL: @gatherelements_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @gatherelements_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<1> : tensor<2xi64>
  %r = onnx.GatherElements(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
