// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy indexing; the first five are the examples of the specification.

// CHECK-LABEL: @gathernd_no_tuple
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @gathernd_no_tuple() -> tensor<0xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<> : tensor<0x2xi64>
  %r = onnx.GatherND(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<0x2xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @gathernd_beyond_stays
// CHECK: onnx.GatherND(
func.func @gathernd_beyond_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[[0, 0], [0, 2]]> : tensor<2x2xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: index [1, 1] is 2, the dimension is 2}}
  %r = onnx.GatherND(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<2x2xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @gathernd_below_stays
// CHECK: onnx.GatherND(
func.func @gathernd_below_stays() -> tensor<1xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[0, -3]]> : tensor<1x2xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: index [0, 1] is -3, the dimension is 2}}
  %r = onnx.GatherND(%x, %y) <{since = 13}> : (tensor<3x2xf32>, tensor<1x2xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gathernd_batch_beyond_stays
// CHECK: onnx.GatherND(
func.func @gathernd_batch_beyond_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]], [[4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00]]]> : tensor<2x2x2xf32>
  %y = onnx.Constant dense<[[2], [0]]> : tensor<2x1xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: index [0, 0] is 2, the dimension is 2}}
  %r = onnx.GatherND(%x, %y) <{since = 12}> {batch_dims = 1 : i64} : (tensor<2x2x2xf32>, tensor<2x1xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @gathernd_tuple_too_long_stays
// CHECK: onnx.GatherND(
func.func @gathernd_tuple_too_long_stays() -> tensor<1xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<0> : tensor<1x3xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: input #0 has shape [2, 2], the indices [1, 3]}}
  %r = onnx.GatherND(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<1x3xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gathernd_tuple_of_nothing_stays
// CHECK: onnx.GatherND(
func.func @gathernd_tuple_of_nothing_stays() -> tensor<?x?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<> : tensor<2x0xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: input #0 has shape [2, 2], the indices [2, 0]}}
  %r = onnx.GatherND(%x, %y) <{since = 13}> : (tensor<2x2xf32>, tensor<2x0xi64>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: @gathernd_batch_dims_stays
// CHECK: onnx.GatherND(
func.func @gathernd_batch_dims_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<0> : tensor<2x1xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: attribute 'batch_dims' is 2, input #0 has shape [2, 2], the indices [2, 1]}}
  %r = onnx.GatherND(%x, %y) <{since = 13}> {batch_dims = 2 : i64} : (tensor<2x2xf32>, tensor<2x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @gathernd_batch_negative_stays
// CHECK: onnx.GatherND(
func.func @gathernd_batch_negative_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<0> : tensor<2x1xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: attribute 'batch_dims' is -1, input #0 has shape [2, 2], the indices [2, 1]}}
  %r = onnx.GatherND(%x, %y) <{since = 13}> {batch_dims = -1 : i64} : (tensor<2x2xf32>, tensor<2x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @gathernd_batch_differs_stays
// CHECK: onnx.GatherND(
func.func @gathernd_batch_differs_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]], [[4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00]]]> : tensor<2x2x2xf32>
  %y = onnx.Constant dense<0> : tensor<1x1xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: input #0 has shape [2, 2, 2], the indices [1, 1]}}
  %r = onnx.GatherND(%x, %y) <{since = 13}> {batch_dims = 1 : i64} : (tensor<2x2x2xf32>, tensor<1x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// (d, 3)[1].
// CHECK-LABEL: @gathernd_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<1xi64>
// CHECK: return %[[R]]
func.func @gathernd_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<1xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<1> : tensor<1x1xi64>
  %r = onnx.GatherND(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<1x1xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// Inference read the dimension before the first one.
// CHECK-LABEL: @gathernd_negative_batch_stays
// CHECK: onnx.GatherND(
func.func @gathernd_negative_batch_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<1.0> : tensor<2x2x2xf32>
  %y = onnx.Constant dense<[[2], [0]]> : tensor<2x1xi64>
  // expected-remark @+1 {{onnx.GatherND not folded: attribute 'batch_dims' is -2, input #0 has shape [2, 2, 2], the indices [2, 1]}}
  %r = onnx.GatherND(%x, %y) <{since = 12}> {batch_dims = -2 : i64} : (tensor<2x2x2xf32>, tensor<2x1xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
