// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.min; the empty set as the specification has it.

// CHECK-LABEL: @reducemin_attribute
// CHECK{LITERAL}: onnx.Constant dense<[[-3.000000e+00], [0.000000e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @reducemin_attribute() -> tensor<2x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.ReduceMin(%x) <{since = 1}> {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @reducemin_all_absent
// CHECK: onnx.Constant dense<-3.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducemin_all_absent() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Absent
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> : (tensor<2x3xf32>, none) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducemin_all_empty_axes
// CHECK: onnx.Constant dense<-3.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducemin_all_empty_axes() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// Nothing is combined, the elementwise part is computed.
// CHECK-LABEL: @reducemin_noop
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @reducemin_noop() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @reducemin_rank_0
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducemin_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.ReduceMin(%x) <{since = 20}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducemin_rank_0_no_axes
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reducemin_rank_0_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reducemin_of_nothing
// CHECK: onnx.Constant dense<0x7F800000> : tensor<2xf32>
// CHECK-NEXT: return
func.func @reducemin_of_nothing() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @reducemin_of_nothing_all
// CHECK: onnx.Constant dense<0x7F800000> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reducemin_of_nothing_all() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ReduceMin(%x) <{since = 20}> : (tensor<2x0xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reducemin_empty_result
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @reducemin_empty_result() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> {keepdims = 0 : i64} : (tensor<2x0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @reducemin_nan_stays
// CHECK: onnx.ReduceMin(
func.func @reducemin_nan_stays() -> tensor<3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 0x7FC00000], [0x7FC00000, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceMin not folded: element [0, 1] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> {keepdims = 0 : i64} : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @reducemin_nan_axis_0_stays
// CHECK: onnx.ReduceMin(
func.func @reducemin_nan_axis_0_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 0x7FC00000], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceMin not folded: element [0, 1] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> {keepdims = 0 : i64} : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Neighbours that a double cannot tell apart.
// CHECK-LABEL: @reducemin_i64_far
// CHECK: onnx.Constant dense<9007199254740992> : tensor<i64>
// CHECK-NEXT: return
func.func @reducemin_i64_far() -> tensor<i64> {
  %x = onnx.Constant dense<[9007199254740993, 9007199254740992, 9007199254740994]> : tensor<3xi64>
  %r = onnx.ReduceMin(%x) <{since = 20}> {keepdims = 0 : i64} : (tensor<3xi64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @reducemin_i1_of_nothing
// CHECK: onnx.Constant dense<true> : tensor<i1>
// CHECK-NEXT: return
func.func @reducemin_i1_of_nothing() -> tensor<i1> {
  %x = onnx.Constant dense<> : tensor<0xi1>
  %r = onnx.ReduceMin(%x) <{since = 20}> {keepdims = 0 : i64} : (tensor<0xi1>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// CHECK-LABEL: @reducemin_i32_of_nothing
// CHECK: onnx.Constant dense<2147483647> : tensor<i32>
// CHECK-NEXT: return
func.func @reducemin_i32_of_nothing() -> tensor<i32> {
  %x = onnx.Constant dense<> : tensor<0xi32>
  %r = onnx.ReduceMin(%x) <{since = 20}> {keepdims = 0 : i64} : (tensor<0xi32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// Bools from version 20 on.
// CHECK-LABEL: @reducemin_i1_version_18_stays
// CHECK: onnx.ReduceMin(
func.func @reducemin_i1_version_18_stays() -> tensor<i1> {
  %x = onnx.Constant dense<true> : tensor<1xi1>
  // expected-remark @+1 {{onnx.ReduceMin not folded: input #0 ('data') is tensor<1xi1>, expected one of}}
  %r = onnx.ReduceMin(%x) <{since = 18}> {keepdims = 0 : i64} : (tensor<1xi1>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// CHECK-LABEL: @reducemin_axis_stays
// CHECK: onnx.ReduceMin(
func.func @reducemin_axis_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ReduceMin not folded: the axes are [2], expected different ones of 2}}
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reducemin_axis_twice_stays
// CHECK: onnx.ReduceMin(
func.func @reducemin_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, -3.000000e+00], [4.000000e+00, 0.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ReduceMin not folded: the axes are [1, -1], expected different ones of 2}}
  %r = onnx.ReduceMin(%x, %y) <{since = 20}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// The smallest of d, 3 and -2.
// CHECK-LABEL: @reducemin_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<-2> : tensor<1xi64>
// CHECK: return %[[R]]
func.func @reducemin_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<1xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<-2> : tensor<1xi64>
  %m = onnx.Concat(%s, %c) <{since = 13}> {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  %r = onnx.ReduceMin(%m) <{since = 18}> : (tensor<3xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// The smallest of d and 3.
// CHECK-LABEL: @reducemin_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.ReduceMin(
// CHECK: return %[[R]]
func.func @reducemin_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<1xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %r = onnx.ReduceMin(%s) <{since = 18}> : (tensor<2xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}
