// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.sort and argsort, stable.

// CHECK-LABEL: @topk_smallest
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [0.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK{LITERAL}: onnx.Constant dense<[[1, 2], [0, 2]]> : tensor<2x2xi64>
// CHECK-NEXT: return
func.func @topk_smallest() -> (tensor<2x2xf32>, tensor<2x2xi64>) {
  %x = onnx.Constant dense<[[3.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 5.000000e+00, 4.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> {largest = 0 : i64, axis = 1 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<2x2xf32>, tensor<2x2xi64>)
  return %r#0, %r#1 : tensor<2x2xf32>, tensor<2x2xi64>
}

// -----

// Of equal elements the lower index comes first,
// CHECK-LABEL: @topk_ties
// CHECK: onnx.Constant dense<[2.000000e+00, 2.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK: onnx.Constant dense<[1, 2, 4, 0]> : tensor<4xi64>
// CHECK-NEXT: return
func.func @topk_ties() -> (tensor<4xf32>, tensor<4xi64>) {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<4> : tensor<1xi64>
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<5xf32>, tensor<1xi64>) -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// for the smallest too.
// CHECK-LABEL: @topk_ties_smallest
// CHECK: onnx.Constant dense<[1.000000e+00, 1.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<4xf32>
// CHECK: onnx.Constant dense<[1, 2, 4, 0]> : tensor<4xi64>
// CHECK-NEXT: return
func.func @topk_ties_smallest() -> (tensor<4xf32>, tensor<4xi64>) {
  %x = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 1.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<4> : tensor<1xi64>
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> {largest = 0 : i64} : (tensor<5xf32>, tensor<1xi64>) -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// CHECK-LABEL: @topk_zeros
// CHECK: onnx.Constant dense<[-0.000000e+00, 0.000000e+00, -0.000000e+00]> : tensor<3xf32>
// CHECK: onnx.Constant dense<[0, 1, 2]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @topk_zeros() -> (tensor<3xf32>, tensor<3xi64>) {
  %x = onnx.Constant dense<[-0.000000e+00, 0.000000e+00, -0.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<3xf32>, tensor<1xi64>) -> (tensor<3xf32>, tensor<3xi64>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi64>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @topk_nan_stays
// CHECK: onnx.TopK(
func.func @topk_nan_stays() -> (tensor<3xf32>, tensor<3xi64>) {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.TopK not folded: element [1] of input #0 is NaN, which runtimes do not order in one way}}
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<3xf32>, tensor<1xi64>) -> (tensor<3xf32>, tensor<3xi64>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi64>
}

// -----

// The order is free: sorted.
// CHECK-LABEL: @topk_unsorted_stays
// CHECK: onnx.TopK(
func.func @topk_unsorted_stays() -> (tensor<2xf32>, tensor<2xi64>) {
  %x = onnx.Constant dense<[1.000000e+00, 3.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.TopK not folded: attribute 'sorted' is 0, which leaves the order open}}
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> {sorted = 0 : i64} : (tensor<3xf32>, tensor<1xi64>) -> (tensor<2xf32>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi64>
}

// -----

// CHECK-LABEL: @topk_all
// CHECK: onnx.Constant dense<[9007199254740993, 9007199254740992]> : tensor<2xi64>
// CHECK: onnx.Constant dense<[1, 0]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @topk_all() -> (tensor<2xi64>, tensor<2xi64>) {
  %x = onnx.Constant dense<[9007199254740992, 9007199254740993]> : tensor<2xi64>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2xi64>
}

// -----

// CHECK-LABEL: @topk_empty
// CHECK: onnx.Constant dense<> : tensor<0x1xf32>
// CHECK: onnx.Constant dense<> : tensor<0x1xi64>
// CHECK-NEXT: return
func.func @topk_empty() -> (tensor<0x1xf32>, tensor<0x1xi64>) {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<0x2xf32>, tensor<1xi64>) -> (tensor<0x1xf32>, tensor<0x1xi64>)
  return %r#0, %r#1 : tensor<0x1xf32>, tensor<0x1xi64>
}

// -----

// CHECK-LABEL: @topk_too_many_stays
// CHECK: onnx.TopK(
func.func @topk_too_many_stays() -> (tensor<?xf32>, tensor<?xi64>) {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.TopK not folded: k is 3, axis 0 has size 2}}
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<2xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi64>
}

// -----

// k is a positive value.
// CHECK-LABEL: @topk_none_stays
// CHECK: onnx.TopK(
func.func @topk_none_stays() -> (tensor<?xf32>, tensor<?xi64>) {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.TopK not folded: k is 0, axis 0 has size 2}}
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<2xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi64>
}

// -----

// CHECK-LABEL: @topk_negative_stays
// CHECK: onnx.TopK(
func.func @topk_negative_stays() -> (tensor<?xf32>, tensor<?xi64>) {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<-1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.TopK not folded: k is -1, axis 0 has size 2}}
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<2xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi64>
}

// -----

// CHECK-LABEL: @topk_axis_stays
// CHECK: onnx.TopK(
func.func @topk_axis_stays() -> (tensor<?xf32>, tensor<?xi64>) {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.TopK not folded: attribute 'axis' is 1, the rank is 1}}
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> {axis = 1 : i64} : (tensor<2xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi64>
}

// -----

// CHECK-LABEL: @topk_two_k_stays
// CHECK: onnx.TopK(
func.func @topk_two_k_stays() -> (tensor<?xf32>, tensor<?xi64>) {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  // expected-remark @+1 {{onnx.TopK not folded: input #1 has shape [2], expected one element}}
  %r:2 = onnx.TopK(%x, %y) <{since = 11}> : (tensor<2xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi64>
}
