// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the assignments of the specification, in numpy.

// The first example of the specification.
// CHECK-LABEL: @scatternd_elements
// CHECK: onnx.Constant dense<[1.000000e+00, 1.100000e+01, 3.000000e+00, 1.000000e+01, 9.000000e+00, 6.000000e+00, 7.000000e+00, 1.200000e+01]> : tensor<8xf32>
// CHECK-NEXT: return
func.func @scatternd_elements() -> tensor<8xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<8xf32>
  %y = onnx.Constant dense<[[4], [3], [1], [7]]> : tensor<4x1xi64>
  %z = onnx.Constant dense<[9.000000e+00, 1.000000e+01, 1.100000e+01, 1.200000e+01]> : tensor<4xf32>
  %r = onnx.ScatterND(%x, %y, %z) <{since = 11}> : (tensor<8xf32>, tensor<4x1xi64>, tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// B3.
// CHECK-LABEL: @scatternd_negative
// CHECK: onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 9.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @scatternd_negative() -> tensor<4xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<-1> : tensor<1x1xi64>
  %z = onnx.Constant dense<9.000000e+00> : tensor<1xf32>
  %r = onnx.ScatterND(%x, %y, %z) <{since = 11}> : (tensor<4xf32>, tensor<1x1xi64>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @scatternd_one_tuple
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 9.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @scatternd_one_tuple() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  %z = onnx.Constant dense<9.000000e+00> : tensor<f32>
  %r = onnx.ScatterND(%x, %y, %z) <{since = 13}> : (tensor<2x2xf32>, tensor<2xi64>, tensor<f32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @scatternd_min_nan_stays
// CHECK: onnx.ScatterND(
func.func @scatternd_min_nan_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %y = onnx.Constant dense<[[0], [1]]> : tensor<2x1xi64>
  %z = onnx.Constant dense<[0x7FC00000, 0.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.ScatterND not folded: element [1] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.ScatterND(%x, %y, %z) <{since = 18}> {reduction = "min"} : (tensor<2xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatternd_no_update
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @scatternd_no_update() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<> : tensor<0x1xi64>
  %z = onnx.Constant dense<> : tensor<0xf32>
  %r = onnx.ScatterND(%x, %y, %z) <{since = 13}> : (tensor<2xf32>, tensor<0x1xi64>, tensor<0xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatternd_repeated_stays
// CHECK: onnx.ScatterND(
func.func @scatternd_repeated_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[[0], [1], [-2]]> : tensor<3x1xi64>
  %z = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  // expected-remark @+1 {{onnx.ScatterND not folded: update [2] writes what an earlier one has written, and there is no reduction}}
  %r = onnx.ScatterND(%x, %y, %z) <{since = 18}> : (tensor<2x2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @scatternd_beyond_stays
// CHECK: onnx.ScatterND(
func.func @scatternd_beyond_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[[0, 0], [0, 2]]> : tensor<2x2xi64>
  %z = onnx.Constant dense<[8.000000e+00, 9.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.ScatterND not folded: index [1, 1] is 2, the dimension is 2}}
  %r = onnx.ScatterND(%x, %y, %z) <{since = 18}> : (tensor<2x2xf32>, tensor<2x2xi64>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @scatternd_below_stays
// CHECK: onnx.ScatterND(
func.func @scatternd_below_stays() -> tensor<4xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<-5> : tensor<1x1xi64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ScatterND not folded: index [0, 0] is -5, the dimension is 4}}
  %r = onnx.ScatterND(%x, %y, %z) <{since = 18}> : (tensor<4xf32>, tensor<1x1xi64>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @scatternd_updates_stays
// CHECK: onnx.ScatterND(
func.func @scatternd_updates_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<0> : tensor<1x1xi64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ScatterND not folded: updates have shape [1], expected [1, 2]}}
  %r = onnx.ScatterND(%x, %y, %z) <{since = 18}> : (tensor<2x2xf32>, tensor<1x1xi64>, tensor<1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @scatternd_tuple_too_long_stays
// CHECK: onnx.ScatterND(
func.func @scatternd_tuple_too_long_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0> : tensor<1x2xi64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ScatterND not folded: input #0 has shape [2], the indices [1, 2]}}
  %r = onnx.ScatterND(%x, %y, %z) <{since = 18}> : (tensor<2xf32>, tensor<1x2xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatternd_scalar_indices_stays
// CHECK: onnx.ScatterND(
func.func @scatternd_scalar_indices_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0> : tensor<i64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.ScatterND not folded: input #0 has shape [2], the indices []}}
  %r = onnx.ScatterND(%x, %y, %z) <{since = 18}> : (tensor<2xf32>, tensor<i64>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatternd_reduction_stays
// CHECK: onnx.ScatterND(
func.func @scatternd_reduction_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0> : tensor<1x1xi64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ScatterND not folded: attribute 'reduction' is 'mean', expected none, add, mul, min or max}}
  %r = onnx.ScatterND(%x, %y, %z) <{since = 18}> {reduction = "mean"} : (tensor<2xf32>, tensor<1x1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
